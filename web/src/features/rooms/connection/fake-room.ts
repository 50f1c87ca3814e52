import {
  ConnectionState,
  type DisconnectReason,
  ParticipantKind,
  type Room,
  RoomEvent,
  Track,
} from 'livekit-client';

type Listener = (...args: never[]) => void;
type CaptionHandler = (
  reader: { info: { id: string; attributes: Record<string, string> } } & AsyncIterable<string>,
  from: { identity: string },
) => void;

/** A participant as the client library represents it. */
export interface FakeParticipant {
  sid: string;
  identity: string;
  name: string;
  isLocal: boolean;
  kind: ParticipantKind;
  attributes: Record<string, string>;
  isSpeaking: boolean;
  connectionQuality: string;
  microphone: { isMuted: boolean } | null;
  /** By track id. */
  trackPublications: Map<string, unknown>;
  getTrackPublication(source: Track.Source): { isMuted: boolean } | undefined;
}

export function aParticipant(of: Partial<FakeParticipant> & { identity: string }): FakeParticipant {
  return {
    sid: `PA_${of.identity}`,
    name: '',
    isLocal: false,
    kind: ParticipantKind.STANDARD,
    attributes: {},
    isSpeaking: false,
    connectionQuality: 'unknown',
    microphone: null,
    trackPublications: new Map(),
    getTrackPublication(source) {
      return source === Track.Source.Microphone ? (this.microphone ?? undefined) : undefined;
    },
    ...of,
  };
}

/** Stands in for the media connection; a test plays its server. */
export class FakeRoom {
  static opened: FakeRoom[] = [];
  /** The behaviour of the next `connect`; by default it succeeds. */
  static connecting: () => Promise<void> = async () => {};
  /** The browser's answer to the request for the microphone. */
  static microphone: () => Promise<void> = async () => {};
  readonly options: unknown;
  state: ConnectionState = ConnectionState.Disconnected;
  canPlaybackAudio = true;
  transportsWork = true;
  connected: { url: string; token: string; options: unknown } | null = null;
  disconnects = 0;
  readonly localParticipant;
  readonly remoteParticipants = new Map<string, FakeParticipant>();
  readonly engine = { verifyTransport: () => this.transportsWork };
  readonly #listeners = new Map<string, Set<Listener>>();
  #captions: CaptionHandler | null = null;

  constructor(options?: unknown) {
    this.options = options;
    const me = aParticipant({ identity: 'user-ada', name: 'Ada Lovelace', isLocal: true });
    this.localParticipant = Object.assign(me, {
      setMicrophoneEnabled: async (on: boolean) => {
        if (on) await FakeRoom.microphone();
        me.microphone = { isMuted: !on };
        this.tell(RoomEvent.LocalTrackPublished);
      },
    });
    FakeRoom.opened.push(this);
  }

  static getLocalDevices = async () => [];

  static reset(): void {
    FakeRoom.opened = [];
    FakeRoom.connecting = async () => {};
    FakeRoom.microphone = async () => {};
  }

  /** Typed as the product's code expects it. */
  static create(): Room {
    const room: unknown = new FakeRoom();
    return room as Room;
  }

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return this;
  }

  removeAllListeners(): void {
    this.#listeners.clear();
  }

  registerTextStreamHandler(_topic: string, handler: CaptionHandler): void {
    this.#captions = handler;
  }

  async connect(url: string, token: string, options: unknown): Promise<void> {
    this.connected = { url, token, options };
    await FakeRoom.connecting();
    this.state = ConnectionState.Connected;
  }

  async disconnect(): Promise<void> {
    this.disconnects++;
    this.state = ConnectionState.Disconnected;
  }

  async switchActiveDevice(): Promise<boolean> {
    return true;
  }

  async startAudio(): Promise<void> {
    this.canPlaybackAudio = true;
    this.tell(RoomEvent.AudioPlaybackStatusChanged);
  }

  getParticipantByIdentity(identity: string): FakeParticipant | undefined {
    return identity === this.localParticipant.identity
      ? this.localParticipant
      : this.remoteParticipants.get(identity);
  }

  /** Emits an event of the room. */
  tell(event: RoomEvent, ...args: unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) Reflect.apply(listener, null, args);
  }

  comes(participant: FakeParticipant): void {
    this.remoteParticipants.set(participant.identity, participant);
    this.tell(RoomEvent.ParticipantConnected, participant);
  }

  goes(identity: string): void {
    this.remoteParticipants.delete(identity);
    this.tell(RoomEvent.ParticipantDisconnected);
  }

  becomes(state: ConnectionState): void {
    this.state = state;
    this.tell(RoomEvent.ConnectionStateChanged, state);
  }

  ends(reason?: DisconnectReason): void {
    this.state = ConnectionState.Disconnected;
    this.tell(RoomEvent.Disconnected, reason);
  }

  /** Streams a participant's words as text, piece by piece. */
  caption(identity: string, attributes: Record<string, string>, ...pieces: string[]): void {
    const reader = {
      info: { id: 'stream', attributes },
      async *[Symbol.asyncIterator]() {
        yield* pieces;
      },
    };
    this.#captions?.(reader, { identity });
  }
}
