import { io, type Socket } from 'socket.io-client';
import type {
  AiResponse,
  AiResponseChunk,
  BargeIn,
  ClientToServerEvents,
  ConversationStarted,
  ConversationUpdated,
  Interrupt,
  InterruptAck,
  MessageStored,
  Playback,
  RealtimeError,
  ServerToClientEvents,
  SpeechAck,
  SpeechActivity,
  SpeechEnd,
  SpeechEnded,
  SpeechStart,
  StartConversation,
  StartConversationAck,
  Transcript,
  UserMessage,
  UserMessageAck,
} from '#shared/realtime';
import { API_URL } from './api-url.ts';

/** Longest wait for an acknowledgement, in milliseconds. */
const ACK_TIMEOUT_MS = 10_000;
/** Longest wait for the rest of a recording's transcript, in milliseconds. */
const SPEECH_END_TIMEOUT_MS = 120_000;
/** Delay before a retry where socket.io would not retry: a refused or closed connection. */
const REFUSED_RETRY_MS = 3_000;

/** Events of the real-time channel. */
export interface RealtimeListener {
  /** The channel is open, for the first time or again. */
  connected(): void;
  /** The channel is lost; it reconnects by itself. */
  lost(): void;
  /** The server no longer knows the token; the channel stays closed. */
  signedOut(): void;
  started(event: ConversationStarted): void;
  chunk(event: AiResponseChunk): void;
  response(event: AiResponse): void;
  typing(isTyping: boolean): void;
  error(event: RealtimeError): void;
  /** The server requests start_conversation again. */
  askedToStart(): void;
  /** Another tab of the same conversation sent a message, or this one's speech was recognised hands-free. */
  messageStored(event: MessageStored): void;
  /** The conversation has a new title, label or outcome, or the customer left contact details. */
  conversationUpdated(event: ConversationUpdated): void;
  transcript(event: Transcript): void;
  speechActivity(event: SpeechActivity): void;
  bargeIn(event: BargeIn): void;
  /** The server stopped listening on its own. */
  speechEnded(event: SpeechEnded): void;
}

/**
 * Messages to the server; each rejects without an acknowledgement within 10 s (after a recording 120 s) or
 * when the channel is lost.
 */
export interface Realtime {
  start(payload: StartConversation): Promise<StartConversationAck>;
  say(payload: UserMessage): Promise<UserMessageAck>;
  interrupt(payload: Interrupt): Promise<InterruptAck>;
  speechStart(payload: SpeechStart): Promise<SpeechAck>;
  /** `index` counts the chunks of one stream from 0. */
  speechAudio(index: number, audio: ArrayBuffer): Promise<SpeechAck>;
  speechEnd(payload: SpeechEnd): Promise<SpeechAck>;
  /** Not acknowledged: dropped if the channel is lost. */
  playback(payload: Playback): void;
  close(): void;
}

/**
 * Opens the real-time channel and keeps it open until `close`. Reconnects after 1 to 5 s, randomised by half;
 * a connection attempt may take 20 s.
 */
export function openRealtime(token: string, listener: RealtimeListener): Realtime {
  const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io(API_URL || window.location.origin, {
    auth: { token, streaming: true },
    transports: ['websocket', 'polling'],
    reconnectionDelay: 1_000,
    reconnectionDelayMax: 5_000,
    randomizationFactor: 0.5,
    timeout: 20_000,
    forceNew: true,
  });
  let retry: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const retryLater = () => {
    clearTimeout(retry);
    if (!closed) retry = setTimeout(() => socket.connect(), REFUSED_RETRY_MS);
  };

  socket.on('connect', () => listener.connected());
  socket.on('disconnect', (reason) => {
    if (closed) return;
    listener.lost();
    if (reason === 'io server disconnect') retryLater();
  });
  socket.on('connect_error', (error) => {
    if (closed) return;
    if (isUnauthenticated(error)) {
      closed = true;
      socket.close();
      listener.signedOut();
      return;
    }
    listener.lost();
    if (!socket.active) retryLater();
  });
  socket.on('conversation_started', (event) => listener.started(event));
  socket.on('ai_response_chunk', (event) => listener.chunk(event));
  socket.on('ai_response', (event) => listener.response(event));
  socket.on('typing', (isTyping) => listener.typing(isTyping));
  socket.on('error', (event) => listener.error(event));
  socket.on('start_conversation', () => listener.askedToStart());
  socket.on('message_stored', (event) => listener.messageStored(event));
  socket.on('conversation_updated', (event) => listener.conversationUpdated(event));
  socket.on('transcript', (event) => listener.transcript(event));
  socket.on('speech_activity', (event) => listener.speechActivity(event));
  socket.on('barge_in', (event) => listener.bargeIn(event));
  socket.on('speech_ended', (event) => listener.speechEnded(event));

  /** An emit on a lost channel would be buffered and sent again in addition to the owner's own retry. */
  const patient = (timeoutMs = ACK_TIMEOUT_MS) => {
    if (!socket.connected) throw new Error('The real-time channel is not connected.');
    return socket.timeout(timeoutMs);
  };
  return {
    start: async (payload) => patient().emitWithAck('start_conversation', payload),
    say: async (payload) => patient().emitWithAck('user_message', payload),
    interrupt: async (payload) => patient().emitWithAck('interrupt', payload),
    speechStart: async (payload) => patient().emitWithAck('speech_start', payload),
    speechAudio: async (index, audio) => patient().emitWithAck('speech_audio', { index, audio }),
    speechEnd: async (payload) => patient(SPEECH_END_TIMEOUT_MS).emitWithAck('speech_end', payload),
    playback: (payload) => {
      if (socket.connected) socket.emit('playback', payload);
    },
    close: () => {
      closed = true;
      clearTimeout(retry);
      socket.removeAllListeners();
      socket.close();
    },
  };
}

/** A refused handshake has the refusal in `data`, as socket.io passes it on. */
function isUnauthenticated(error: Error): boolean {
  if (!('data' in error)) return false;
  const { data } = error;
  return typeof data === 'object' && data !== null && 'code' in data && data.code === 'unauthenticated';
}
