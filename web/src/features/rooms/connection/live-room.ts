import {
  ConnectionState,
  DefaultReconnectPolicy,
  DisconnectReason,
  MediaDeviceFailure,
  Room,
  RoomEvent,
} from 'livekit-client';
import { ROOM_CONVERSATION_TOPIC, roomConversationSchema, TRANSCRIPTION_TOPIC } from '#shared/rooms';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/rooms';
import { readCaption } from './captions.ts';
import { participantsOf } from './participants.ts';
import { createReconnectCheck, type ReconnectCheck } from './reconnect-check.ts';
import { roomAddress } from './room-address.ts';
import { type LiveRoomState, outside, withCaption } from './room-state.ts';

/** Used unless the server configures others (specification, section 7). */
export const USUAL_STUN_SERVERS = ['stun:stun.l.google.com:19302', 'stun:stun1.l.google.com:19302'];

/** The admission to a room. */
export interface Door {
  room: string;
  wsUrl: string;
  token: string;
  /** Whether the user owns the room. */
  isOwner: boolean;
  /** Servers that tell a browser its public address, to pass a firewall; empty: none. */
  stunServers: readonly string[];
}

interface LiveRoomOptions {
  /** Microphone to begin with; null is the browser's choice. */
  microphoneId: string | null;
  /** Whether to join muted. */
  muted: boolean;
}

/** One visit at a time of a live room: the media connection and its state for the screen. */
export class LiveRoom {
  readonly #createRoom: () => Room;
  readonly #listeners = new Set<() => void>();
  #state: LiveRoomState = outside;
  #room: Room | null = null;
  #check: ReconnectCheck | null = null;
  /** Counts visits, to recognise events of an earlier one. */
  #visit = 0;

  constructor(createRoom: () => Room = newRoom) {
    this.#createRoom = createRoom;
  }

  readonly getState = (): LiveRoomState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Joins with the microphone on, unless it is muted or denied.
   * @throws the media connection's error if it cannot be opened; the user is then outside
   */
  async join(door: Door, options: LiveRoomOptions): Promise<void> {
    this.leave();
    const visit = this.#visit;
    const room = this.#createRoom();
    this.#room = room;
    this.#set({ ...outside, connection: 'connecting', muted: options.muted });
    this.#listen(room, visit);
    try {
      await room.connect(roomAddress(door.wsUrl), door.token, {
        autoSubscribe: true,
        // Even an empty list replaces the one that a LiveKit server sends.
        rtcConfig: { iceServers: door.stunServers.map((urls) => ({ urls })) },
      });
    } catch (error) {
      if (visit === this.#visit) this.#out(null);
      throw error;
    }
    if (visit !== this.#visit) return void room.disconnect();
    this.#check = createReconnectCheck(room, () => {
      void room.disconnect();
      this.#out(t('left.lost'));
    });
    this.#set({
      connection: 'connected',
      room: door.room,
      isOwner: door.isOwner,
      since: new Date().toISOString(),
      soundBlocked: !room.canPlaybackAudio,
    });
    this.#refresh(room);
    if (!options.muted) await this.#switchMicrophone(room, visit, true, options.microphoneId);
  }

  /** Hangs up. */
  leave(): void {
    this.#out(null);
  }

  /** Turns the microphone on or off. */
  async setMuted(muted: boolean): Promise<void> {
    if (this.#room && !this.#state.switching)
      await this.#switchMicrophone(this.#room, this.#visit, !muted, null);
  }

  /** Uses another microphone or loudspeaker from now on. */
  async chooseDevice(kind: 'audioinput' | 'audiooutput', deviceId: string): Promise<void> {
    await this.#room
      ?.switchActiveDevice(kind, deviceId)
      .catch((error: unknown) => logProblem('The device was not changed.', error));
  }

  /** Lets the browser make sound; call it from the person's own click. */
  allowSound(): void {
    this.#room
      ?.startAudio()
      .catch((error: unknown) => logProblem('The browser still allows no sound.', error));
  }

  /** Leaves for good. */
  close(): void {
    this.leave();
    this.#listeners.clear();
  }

  #set(change: Partial<LiveRoomState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  #out(lost: string | null): void {
    this.#visit++;
    this.#check?.stop();
    this.#check = null;
    const room = this.#room;
    this.#room = null;
    room?.removeAllListeners();
    void room?.disconnect();
    const { captions } = this.#state;
    // A call in which only the agent spoke is not kept.
    const isKept = captions.some(({ isAgent, text }) => !isAgent && text !== '');
    const conversationId = isKept ? this.#state.conversationId : null;
    if (room || lost) this.#set({ ...outside, lost, conversationId });
  }

  #listen(room: Room, visit: number): void {
    const refresh = () => this.#refresh(room);
    for (const event of [
      RoomEvent.ParticipantConnected,
      RoomEvent.ParticipantDisconnected,
      RoomEvent.TrackSubscribed,
      RoomEvent.TrackUnsubscribed,
      RoomEvent.TrackMuted,
      RoomEvent.TrackUnmuted,
      RoomEvent.LocalTrackPublished,
      RoomEvent.LocalTrackUnpublished,
      RoomEvent.ActiveSpeakersChanged,
      RoomEvent.ConnectionQualityChanged,
      RoomEvent.ParticipantAttributesChanged,
      RoomEvent.ParticipantNameChanged,
    ] as const)
      room.on(event, refresh);
    // The client may hold back events of a reconnect for two seconds; its own list is right then.
    room.on(RoomEvent.Reconnected, () => setTimeout(refresh, SETTLED_AFTER_MS));
    room.on(RoomEvent.ConnectionStateChanged, (connection) => this.#connectionIs(connection));
    room.on(RoomEvent.Disconnected, (reason) => {
      if (visit === this.#visit && this.#state.connection !== 'connecting') this.#out(whyOut(reason));
    });
    room.on(RoomEvent.AudioPlaybackStatusChanged, () => this.#set({ soundBlocked: !room.canPlaybackAudio }));
    room.on(RoomEvent.MediaDevicesError, () => this.#set({ switching: false }));
    room.on(RoomEvent.DataReceived, (payload, _participant, _kind, topic) => {
      if (topic === ROOM_CONVERSATION_TOPIC) this.#recordIs(payload);
    });
    room.registerTextStreamHandler(TRANSCRIPTION_TOPIC, (reader, { identity }) => {
      void readCaption(room, reader, identity, (caption) => {
        if (room === this.#room) this.#set({ captions: withCaption(this.#state.captions, caption) });
      });
    });
  }

  #connectionIs(connection: ConnectionState): void {
    if (connection === ConnectionState.Connected && this.#state.room !== null)
      this.#set({ connection: 'connected' });
    else if (connection === ConnectionState.Reconnecting || connection === ConnectionState.SignalReconnecting)
      this.#set({ connection: 'reconnecting' });
  }

  #refresh(room: Room): void {
    if (room !== this.#room) return;
    this.#set({ participants: participantsOf(room) });
  }

  async #switchMicrophone(room: Room, visit: number, on: boolean, deviceId: string | null): Promise<void> {
    this.#set({ switching: true });
    try {
      await room.localParticipant.setMicrophoneEnabled(on, deviceId ? { deviceId } : undefined);
      if (visit === this.#visit) this.#set({ muted: !on, switching: false, microphoneDenied: false });
    } catch (error) {
      logProblem('The microphone could not be turned on.', error);
      if (visit !== this.#visit) return;
      const denied = MediaDeviceFailure.getFailure(error) !== undefined;
      this.#set({ muted: true, switching: false, microphoneDenied: denied });
    }
    if (visit === this.#visit) this.#refresh(room);
  }

  #recordIs(payload: Uint8Array): void {
    try {
      const { conversationId } = roomConversationSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
      this.#set({ conversationId });
    } catch (error) {
      logProblem('The room told of a conversation in words this page cannot read.', error);
    }
  }
}

const SETTLED_AFTER_MS = 2_500;

/** Tries for a minute and a half: a server that is being upgraded is back by then. */
const RECONNECT_DELAYS_MS = [0, 300, 1_200, 2_700, 4_800, ...Array.from({ length: 12 }, () => 7_000)];

/** Specification, section 7: auto-subscribe, adaptive stream, dynacast, local tracks stop when unpublished. */
const newRoom = () =>
  new Room({
    adaptiveStream: true,
    dynacast: true,
    stopLocalTrackOnUnpublish: true,
    disconnectOnPageLeave: true,
    reconnectPolicy: new DefaultReconnectPolicy(RECONNECT_DELAYS_MS),
    audioCaptureDefaults: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });

/** Why the room ended the visit, in words; null if the user left. */
function whyOut(reason: DisconnectReason | undefined): string | null {
  switch (reason) {
    case DisconnectReason.CLIENT_INITIATED:
      return null;
    case DisconnectReason.DUPLICATE_IDENTITY:
      return t('left.elsewhere');
    case DisconnectReason.PARTICIPANT_REMOVED:
      return t('left.removed');
    case DisconnectReason.ROOM_DELETED:
      return t('left.ended');
    case DisconnectReason.ROOM_CLOSED:
      return t('left.closed');
    case DisconnectReason.SERVER_SHUTDOWN:
      return t('left.restarting');
    default:
      return t('left.lost');
  }
}
