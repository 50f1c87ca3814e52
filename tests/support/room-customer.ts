import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import {
  TRANSCRIPTION_FINAL_ATTRIBUTE,
  TRANSCRIPTION_SEGMENT_ATTRIBUTE,
  TRANSCRIPTION_TOPIC,
} from '#shared/rooms';
import { CLIP_RATE, clipNamed, soundOf } from '../speech/speech-set.ts';
import { isAudible } from './audible.ts';
import type { FromRoomCustomer, ToRoomCustomer } from './room-customers.ts';

// A program of its own: a person in a live room, as in a browser. A separate process, because a process can
// load LiveKit's native library once, and the server under test has it already.
const [url = '', token = ''] = process.argv.slice(2);
const FRAME = CLIP_RATE / 100;
/** Shorter gaps are pauses within speech. */
const QUIET_MS = 400;

const room = new Room();
const source = new AudioSource(CLIP_RATE, 1, 100);
let toSay: { sound: Float32Array; at: number; id: string } | null = null;
let isMuted = false;

room
  .on(RoomEvent.TrackSubscribed, (track, _publication, participant) => void hear(track, participant.identity))
  .on(RoomEvent.ParticipantConnected, ({ identity, attributes }) => {
    tell({ kind: 'came', identity, at: Date.now() });
    // Initial attributes are not a change.
    if (Object.keys(attributes).length > 0)
      tell({ kind: 'attributes', identity, attributes, at: Date.now() });
  })
  .on(RoomEvent.ParticipantDisconnected, ({ identity }) => tell({ kind: 'went', identity, at: Date.now() }))
  .on(RoomEvent.ParticipantAttributesChanged, (attributes, participant) =>
    tell({ kind: 'attributes', identity: participant.identity, attributes, at: Date.now() }),
  )
  .on(RoomEvent.DataReceived, (payload, _participant, _kind, topic) =>
    tell({ kind: 'data', topic: topic ?? '', payload: new TextDecoder().decode(payload) }),
  )
  .on(RoomEvent.Disconnected, () => tell({ kind: 'out', at: Date.now() }));
room.registerTextStreamHandler(TRANSCRIPTION_TOPIC, async (reader, { identity }) => {
  const text = await reader.readAll().catch(() => '');
  const attributes = reader.info.attributes ?? {};
  tell({
    kind: 'caption',
    identity,
    segment: attributes[TRANSCRIPTION_SEGMENT_ATTRIBUTE] ?? '',
    isFinal: attributes[TRANSCRIPTION_FINAL_ATTRIBUTE] === 'true',
    text,
    at: Date.now(),
  });
});

process.on('message', async (message: ToRoomCustomer) => {
  if (message.kind === 'say')
    toSay = { sound: await soundOf(clipNamed(message.clip)), at: 0, id: message.clip };
  else if (message.kind === 'mute') isMuted = message.muted;
  else await leave();
});
process.on('disconnect', leave);

tell({ kind: 'starting', at: Date.now() });
await room.connect(url, token, { autoSubscribe: true, dynacast: false });
tell({ kind: 'joined', at: Date.now(), others: [...room.remoteParticipants.keys()] });
await room.localParticipant?.publishTrack(
  LocalAudioTrack.createAudioTrack('microphone', source),
  new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
);
void speak();

/** A microphone is never silent: without speech it sends the room's noise. */
async function speak(): Promise<void> {
  for (;;) {
    const frame = new Int16Array(FRAME);
    for (let index = 0; index < FRAME; index++) {
      const said = isMuted ? 0 : (toSay?.sound[toSay.at++] ?? 0);
      frame[index] = Math.round(said * 32_000 + (Math.random() - 0.5) * 6);
    }
    await source.captureFrame(new AudioFrame(frame, CLIP_RATE, 1, FRAME));
    if (toSay && toSay.at >= toSay.sound.length) {
      // Its last frame is still in the queue.
      tell({ kind: 'said', clip: toSay.id, at: Date.now() + Math.round(source.queuedDuration) });
      toSay = null;
    }
  }
}

async function hear(track: RemoteTrack, identity: string): Promise<void> {
  if (track.kind !== TrackKind.KIND_AUDIO) return;
  let isHeard = false;
  let lastHeard = 0;
  for await (const { data } of new AudioStream(track, {
    sampleRate: CLIP_RATE,
    numChannels: 1,
    frameSizeMs: 10,
  })) {
    const now = Date.now();
    if (isAudible(Float32Array.from(data, (sample) => sample / 32_768))) {
      lastHeard = now;
      if (!isHeard) tell({ kind: 'sound', identity, isHeard: true, at: now });
      isHeard = true;
    } else if (isHeard && now - lastHeard > QUIET_MS) {
      isHeard = false;
      tell({ kind: 'sound', identity, isHeard: false, at: lastHeard });
    }
  }
}

function tell(message: FromRoomCustomer): void {
  process.send?.(message);
}

async function leave(): Promise<void> {
  await room.disconnect().catch(() => {});
  process.exit(0);
}
