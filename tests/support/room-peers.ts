import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type LocalTrackPublication,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { AccessToken, type AccessTokenOptions, type VideoGrant } from 'livekit-server-sdk';
import type { RunningRooms } from './room-servers.ts';

const RATE = 48_000;
const FRAME = 480;

/** A token as made by LiveKit's SDKs. */
export async function tokenFor(
  keys: Pick<RunningRooms, 'apiKey' | 'apiSecret'>,
  grant: VideoGrant,
  options: AccessTokenOptions & { kind?: string } = {},
): Promise<string> {
  const { kind, ...others } = options;
  const token = new AccessToken(keys.apiKey, keys.apiSecret, { identity: 'somebody', ttl: 600, ...others });
  if (kind) token.kind = kind;
  token.addGrant({ roomJoin: true, ...grant });
  return token.toJwt();
}

/** A person in a room with LiveKit's Node.js client: hums a tone, and measures others' tones. */
export class Peer {
  readonly identity: string;
  readonly room = new Room();
  /** All events, as `event:who`. */
  readonly happened: string[] = [];
  readonly data: { text: string; from: string | undefined; topic: string | undefined }[] = [];
  /** The newest second of sound of each other participant, by identity. */
  readonly #sounds = new Map<string, Float32Array>();
  #humming: { source: AudioSource; frequency: number; isOn: boolean } | null = null;
  #isGone = false;

  constructor(identity: string) {
    this.identity = identity;
    const note = (event: string, who = '') => this.happened.push(who ? `${event}:${who}` : event);
    this.room
      .on(RoomEvent.ParticipantConnected, ({ identity: who }) => note('joined', who))
      .on(RoomEvent.ParticipantDisconnected, ({ identity: who }) => note('left', who))
      .on(RoomEvent.TrackPublished, (_publication, { identity: who }) => note('published', who))
      .on(RoomEvent.TrackUnpublished, (_publication, { identity: who }) => note('unpublished', who))
      .on(RoomEvent.TrackMuted, (_publication, { identity: who }) => note('muted', who))
      .on(RoomEvent.TrackUnmuted, (_publication, { identity: who }) => note('unmuted', who))
      .on(RoomEvent.TrackUnsubscribed, (_track, _publication, { identity: who }) => note('unsubscribed', who))
      .on(RoomEvent.RoomMetadataChanged, (metadata) => note('room-metadata', metadata))
      .on(RoomEvent.ParticipantMetadataChanged, (metadata) => note('metadata', metadata))
      .on(RoomEvent.ParticipantAttributesChanged, (changed) => note('attributes', JSON.stringify(changed)))
      .on(RoomEvent.ConnectionQualityChanged, (quality, { identity: who }) => note(`quality ${quality}`, who))
      .on(RoomEvent.ActiveSpeakersChanged, (speakers) => {
        for (const { identity: who } of speakers) note('speaks', who);
      })
      .on(RoomEvent.Reconnecting, () => note('reconnecting'))
      .on(RoomEvent.Reconnected, () => note('reconnected'))
      .on(RoomEvent.Disconnected, (reason) => note('disconnected', String(reason)))
      .on(RoomEvent.DataReceived, (payload, from, _kind, topic) =>
        this.data.push({ text: Buffer.from(payload).toString(), from: from?.identity, topic }),
      )
      .on(RoomEvent.TrackSubscribed, (track, _publication, { identity: who }) => {
        note('subscribed', who);
        if (track.kind === TrackKind.KIND_AUDIO) void this.#listen(track, who);
      });
  }

  static async join(
    server: Pick<RunningRooms, 'url' | 'apiKey' | 'apiSecret'>,
    room: string,
    identity: string,
    options: { grant?: VideoGrant; token?: AccessTokenOptions & { kind?: string }; url?: string } = {},
  ): Promise<Peer> {
    const peer = new Peer(identity);
    const token = await tokenFor(server, { room, ...options.grant }, { identity, ...options.token });
    await peer.room.connect(options.url ?? server.url, token, { autoSubscribe: true, dynacast: false });
    return peer;
  }

  /** Publishes a humming microphone. @param frequency in hertz */
  async hum(frequency: number): Promise<LocalTrackPublication> {
    const source = new AudioSource(RATE, 1);
    const humming = { source, frequency, isOn: true };
    this.#humming = humming;
    const track = LocalAudioTrack.createAudioTrack('microphone', source);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    const publication = await this.me.publishTrack(track, options);
    void this.#keepHumming(humming);
    return publication;
  }

  get me() {
    const { localParticipant } = this.room;
    if (!localParticipant) throw new Error(`${this.identity} is in no room.`);
    return localParticipant;
  }

  /** The other participants, as this one sees them. */
  get others(): string[] {
    return [...this.room.remoteParticipants.keys()].sort();
  }

  /** Amplitude of a tone in the newest second of a participant's sound, 0 to 1. */
  hears(identity: string, frequency: number): number {
    const sound = this.#sounds.get(identity);
    return sound ? strength(sound, frequency) : 0;
  }

  forgetSound(): void {
    this.#sounds.clear();
  }

  async leave(): Promise<void> {
    if (this.#humming) this.#humming.isOn = false;
    this.#isGone = true;
    await this.room.disconnect();
  }

  async #keepHumming(humming: { source: AudioSource; frequency: number; isOn: boolean }): Promise<void> {
    for (let at = 0; humming.isOn && !this.#isGone; at += FRAME) {
      const samples = Int16Array.from(
        { length: FRAME },
        (_, n) => 9_000 * Math.sin((2 * Math.PI * humming.frequency * (at + n)) / RATE),
      );
      try {
        await humming.source.captureFrame(new AudioFrame(samples, RATE, 1, FRAME));
      } catch {
        return;
      }
    }
  }

  async #listen(track: RemoteTrack, identity: string): Promise<void> {
    let stream: AudioStream;
    try {
      stream = new AudioStream(track, RATE, 1);
    } catch {
      // It left before it could be subscribed to.
      return;
    }
    const newest = new Float32Array(RATE);
    for await (const { data } of stream) {
      if (this.#isGone) break;
      newest.copyWithin(0, data.length);
      newest.set(
        Float32Array.from(data, (sample) => sample / 32_768),
        RATE - data.length,
      );
      this.#sounds.set(identity, newest);
    }
  }
}

/** Goertzel's algorithm: the amplitude of one frequency. */
function strength(samples: Float32Array, frequency: number): number {
  const step = 2 * Math.cos((2 * Math.PI * frequency) / RATE);
  let [before, last] = [0, 0];
  for (const sample of samples) [before, last] = [last, sample + step * last - before];
  return (2 * Math.sqrt(Math.max(0, last * last + before * before - step * last * before))) / samples.length;
}
