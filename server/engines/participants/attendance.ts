import {
  AudioFrame,
  AudioResampler,
  AudioResamplerQuality,
  AudioSource,
  AudioStream,
  DisconnectReason,
  LocalAudioTrack,
  ParticipantKind,
  type RemoteParticipant,
  type RemoteTrack,
  type RemoteTrackPublication,
  Room,
  RoomEvent,
  type TextStreamWriter,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import type { Sound } from '#server/audio/sound';
import {
  AGENT_TRACK_NAME,
  TRANSCRIPTION_FINAL_ATTRIBUTE,
  TRANSCRIPTION_SEGMENT_ATTRIBUTE,
  TRANSCRIPTION_TOPIC,
  TRANSCRIPTION_TRACK_ATTRIBUTE,
} from '#shared/rooms';
import type { Caption, MemberGone, PresenceEnd, PresenceListener, RoomMemberFace } from './contract.ts';
import { rtcConfigOf } from './rtc-config.ts';
import { Subscriptions } from './subscriptions.ts';
import { SPEECH_RATE, VoiceOut, type VoiceSink } from './voice-out.ts';

/** Input rate of recognition in Hz; LiveKit resamples to it. */
const HEARING_RATE = 16_000;
const FRAME_MS = 20;
/** Sound buffered in the native library: enough for a busy thread, and all that a pause must take back. */
const QUEUE_MS = 200;
/** Opus at this rate keeps the voice's whole band. */
const VOICE_BITRATE = 48_000n;

interface Microphone {
  trackSid: string;
  /** Its sound; null while it is not subscribed. */
  stream: AudioStream | null;
  isOpen: boolean;
}

/** Our participant in one room, in the thread with LiveKit's native library. */
export class Attendance {
  readonly #room = new Room();
  readonly #source = new AudioSource(SPEECH_RATE, 1, QUEUE_MS);
  readonly #voice: VoiceOut;
  readonly #listener: PresenceListener;
  readonly #microphones = new Map<string, Microphone>();
  readonly #subscriptions = new Subscriptions(this.#room);
  #attributes: Record<string, string> = {};
  /** Serialises what is sent: attributes, captions, data. */
  #sending: Promise<unknown> = Promise.resolve();
  #ownWords: { segmentId: string; text: string; writer: TextStreamWriter } | null = null;
  #hasEnded = false;

  constructor(listener: PresenceListener) {
    this.#listener = listener;
    this.#voice = new VoiceOut(sinkOf(this.#source), {
      began: (speechId) => listener.speechBegan(speechId),
      played: (speechId, playedMs) => listener.speechPlayed({ speechId, playedMs }),
      ended: (speechId, playedMs) => listener.speechEnded({ speechId, playedMs }),
    });
    this.#listen();
  }

  /**
   * Joins and publishes the voice.
   * @param stunServers STUN servers to use; null: those that the room server names
   */
  async join(url: string, token: string, stunServers: readonly string[] | null): Promise<void> {
    try {
      await this.#room.connect(url, token, {
        autoSubscribe: false,
        dynacast: false,
        ...(stunServers ? { rtcConfig: rtcConfigOf(stunServers) } : {}),
      });
      for (const participant of this.#room.remoteParticipants.values()) this.#memberJoined(participant);
      const track = LocalAudioTrack.createAudioTrack(AGENT_TRACK_NAME, this.#source);
      const options = new TrackPublishOptions({
        source: TrackSource.SOURCE_MICROPHONE,
        audioEncoding: { maxBitrate: VOICE_BITRATE },
      });
      await this.#room.localParticipant?.publishTrack(track, options);
      this.#subscriptions.begin();
    } catch (error) {
      await this.leave();
      throw error;
    }
  }

  setAttributes(attributes: Record<string, string>): void {
    this.#attributes = { ...this.#attributes, ...attributes };
    this.#send(() => this.#room.localParticipant?.setAttributes(attributes));
  }

  caption(caption: Caption): void {
    this.#send(() =>
      caption.speaker || caption.isFinal ? this.#writeWhole(caption) : this.#writeOn(caption),
    );
  }

  tell(identity: string, topic: string, payload: string): void {
    this.#send(() =>
      this.#room.localParticipant?.publishData(new TextEncoder().encode(payload), {
        reliable: true,
        topic,
        destination_identities: [identity],
      }),
    );
  }

  say(speechId: string, sound: Sound): void {
    if (!this.#hasEnded) this.#voice.say(speechId, toSpeechRate(sound));
  }

  finishSpeech(speechId: string): void {
    if (!this.#hasEnded) this.#voice.finish(speechId);
  }

  hold(): void {
    this.#voice.hold();
  }

  release(): void {
    this.#voice.release();
  }

  stopSpeech(speechId: string): number {
    return this.#voice.stop(speechId);
  }

  async leave(): Promise<void> {
    this.#hasEnded = true;
    this.#subscriptions.close();
    this.#voice.close();
    for (const identity of [...this.#microphones.keys()]) this.#forgetMicrophone(identity);
    await this.#room.disconnect().catch(() => {});
    await this.#source.close().catch(() => {});
  }

  /** Our own words are one stream that grows while they are played. */
  async #writeOn({ segmentId, text }: Caption): Promise<void> {
    if (this.#ownWords?.segmentId !== segmentId) {
      await this.#endOwnWords();
      const writer = await this.#openCaption({ segmentId, text, isFinal: false });
      this.#ownWords = writer ? { segmentId, text: '', writer } : null;
    }
    const own = this.#ownWords;
    if (!own || !text.startsWith(own.text)) return;
    await own.writer.write(text.slice(own.text.length));
    own.text = text;
  }

  async #writeWhole(caption: Caption): Promise<void> {
    if (!caption.speaker) await this.#endOwnWords();
    const writer = await this.#openCaption(caption);
    if (caption.text) await writer?.write(caption.text);
    await writer?.close();
  }

  async #endOwnWords(): Promise<void> {
    const own = this.#ownWords;
    this.#ownWords = null;
    await own?.writer.close();
  }

  async #openCaption({ segmentId, isFinal, speaker }: Caption): Promise<TextStreamWriter | undefined> {
    return this.#room.localParticipant?.streamText({
      topic: TRANSCRIPTION_TOPIC,
      attributes: {
        [TRANSCRIPTION_SEGMENT_ATTRIBUTE]: segmentId,
        [TRANSCRIPTION_FINAL_ATTRIBUTE]: String(isFinal),
        [TRANSCRIPTION_TRACK_ATTRIBUTE]: speaker?.trackSid ?? this.#trackSid,
      },
      ...(speaker ? { senderIdentity: speaker.identity } : {}),
    });
  }

  get #trackSid(): string {
    const [publication] = this.#room.localParticipant?.trackPublications.values() ?? [];
    return publication?.sid ?? '';
  }

  /** Sends in order; failures are lost with the room. */
  #send(task: () => Promise<unknown> | undefined): void {
    this.#sending = this.#sending
      .then(async () => {
        if (!this.#hasEnded) await task();
      })
      .catch(() => {});
  }

  #listen(): void {
    this.#room
      .on(RoomEvent.ParticipantConnected, (participant) => this.#memberJoined(participant))
      .on(RoomEvent.ParticipantDisconnected, (participant) => {
        this.#forgetMicrophone(participant.identity);
        this.#listener.memberLeft(participant.identity, howGone(participant.disconnectReason));
      })
      .on(RoomEvent.TrackPublished, (publication) => this.#subscriptions.ask(publication))
      .on(RoomEvent.TrackSubscribed, (track, publication, participant) =>
        this.#hear(track, publication, participant),
      )
      .on(RoomEvent.TrackUnsubscribed, (_track, publication, participant) => {
        if (this.#microphones.get(participant.identity)?.trackSid === publication.sid)
          this.#forgetMicrophone(participant.identity);
      })
      .on(RoomEvent.TrackMuted, (publication, participant) =>
        this.#setOpen(participant.identity, publication.sid, false),
      )
      .on(RoomEvent.TrackUnmuted, (publication, participant) =>
        this.#setOpen(participant.identity, publication.sid, true),
      )
      .on(RoomEvent.LocalTrackSubscribed, () => this.#listener.audible())
      // Updates sent while the room was away are lost, and members may still be waiting for them.
      .on(RoomEvent.Reconnected, () => {
        if (!this.#hasEnded) this.#room.localParticipant?.setAttributes(this.#attributes).catch(() => {});
      })
      .on(RoomEvent.Disconnected, (reason) => {
        if (this.#hasEnded) return;
        this.#listener.ended(whyEnded(reason));
        void this.leave();
      });
  }

  #memberJoined(participant: RemoteParticipant): void {
    this.#listener.memberJoined(face(participant));
    for (const publication of participant.trackPublications.values()) this.#subscriptions.ask(publication);
  }

  #hear(track: RemoteTrack, publication: RemoteTrackPublication, { identity }: RemoteParticipant): void {
    if (track.kind !== TrackKind.KIND_AUDIO || publication.sid === undefined) return;
    this.#forgetMicrophone(identity);
    const stream = new AudioStream(track, {
      sampleRate: HEARING_RATE,
      numChannels: 1,
      frameSizeMs: FRAME_MS,
    });
    const microphone = { trackSid: publication.sid, stream, isOpen: false };
    this.#microphones.set(identity, microphone);
    this.#setOpen(identity, publication.sid, !publication.muted);
    void this.#read(identity, microphone);
  }

  async #read(identity: string, microphone: Microphone): Promise<void> {
    try {
      for await (const frame of microphone.stream ?? []) {
        if (this.#microphones.get(identity) !== microphone) return;
        if (microphone.isOpen) this.#listener.sound(identity, toFloats(frame.data));
      }
    } catch {
      // The track is gone; a separate event reports that.
    }
  }

  #setOpen(identity: string, trackSid: string | undefined, isOpen: boolean): void {
    const microphone = this.#microphones.get(identity);
    if (!microphone || microphone.trackSid !== trackSid || microphone.isOpen === isOpen) return;
    microphone.isOpen = isOpen;
    if (isOpen) this.#listener.microphoneOpened(identity, microphone.trackSid);
    else this.#listener.microphoneClosed(identity);
  }

  #forgetMicrophone(identity: string): void {
    const microphone = this.#microphones.get(identity);
    if (!microphone) return;
    this.#setOpen(identity, microphone.trackSid, false);
    this.#microphones.delete(identity);
    // Cancelling ends the loop that reads it.
    void microphone.stream?.cancel().catch(() => {});
  }
}

const sinkOf = (source: AudioSource): VoiceSink => ({
  play: (samples) => source.captureFrame(new AudioFrame(samples, SPEECH_RATE, 1, samples.length)),
  get queuedMs() {
    return source.queuedDuration;
  },
  clear: () => source.clearQueue(),
});

function toSpeechRate({ samples, sampleRate }: Sound): Int16Array {
  const whole = toIntegers(samples);
  if (sampleRate === SPEECH_RATE || whole.length === 0) return whole;
  const resampler = new AudioResampler(sampleRate, SPEECH_RATE, 1, AudioResamplerQuality.HIGH);
  try {
    const frames = [
      ...resampler.push(new AudioFrame(whole, sampleRate, 1, whole.length)),
      ...resampler.flush(),
    ];
    const joined = new Int16Array(frames.reduce((sum, { data }) => sum + data.length, 0));
    let at = 0;
    for (const { data } of frames) {
      joined.set(data, at);
      at += data.length;
    }
    return joined;
  } finally {
    resampler.close();
  }
}

function toIntegers(samples: Float32Array): Int16Array {
  const integers = new Int16Array(samples.length);
  for (let at = 0; at < samples.length; at++)
    integers[at] = Math.round(Math.max(-1, Math.min(1, samples[at] ?? 0)) * 32_767);
  return integers;
}

function toFloats(samples: Int16Array): Float32Array {
  const floats = new Float32Array(samples.length);
  for (let at = 0; at < samples.length; at++) floats[at] = (samples[at] ?? 0) / 32_768;
  return floats;
}

const face = (participant: RemoteParticipant): RoomMemberFace => ({
  identity: participant.identity,
  name: participant.name ?? '',
  metadata: participant.metadata,
  isAgent: participant.kind === ParticipantKind.AGENT,
});

function howGone(reason: DisconnectReason | undefined): MemberGone {
  if (reason === DisconnectReason.DUPLICATE_IDENTITY) return 'replaced';
  return reason === DisconnectReason.CLIENT_INITIATED || reason === DisconnectReason.PARTICIPANT_REMOVED
    ? 'left'
    : 'lost';
}

function whyEnded(reason: DisconnectReason): PresenceEnd {
  if (reason === DisconnectReason.DUPLICATE_IDENTITY) return 'replaced';
  if (reason === DisconnectReason.PARTICIPANT_REMOVED) return 'removed';
  return reason === DisconnectReason.ROOM_DELETED ? 'room-deleted' : 'lost';
}
