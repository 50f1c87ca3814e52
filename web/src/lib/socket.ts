import { io, type Socket } from 'socket.io-client';
import type {
  AiResponse,
  AiResponseChunk,
  ClientToServerEvents,
  ConversationStarted,
  Interrupt,
  InterruptAck,
  MessageStored,
  RealtimeError,
  ServerToClientEvents,
  StartConversation,
  StartConversationAck,
  UserMessage,
  UserMessageAck,
} from '#shared/realtime';
import { API_URL } from './api-client.ts';

/** How long the server may take to acknowledge, in milliseconds. */
const ACK_TIMEOUT_MS = 10_000;
/** Pause before trying again where socket.io itself would not: a refused or a closed connection. */
const REFUSED_RETRY_MS = 3_000;

/** What the real-time channel tells its owner. */
export interface RealtimeListener {
  /** The channel is open: for the first time, or again after it was lost. */
  connected(): void;
  /** The channel is gone; it comes back by itself. */
  lost(): void;
  /** The server does not know the token any more; the channel stays closed. */
  signedOut(): void;
  started(event: ConversationStarted): void;
  chunk(event: AiResponseChunk): void;
  response(event: AiResponse): void;
  typing(isTyping: boolean): void;
  error(event: RealtimeError): void;
  /** The server asks for start_conversation again. */
  askedToStart(): void;
  /** Another tab of the same conversation sent a message. */
  messageStored(event: MessageStored): void;
}

/** What can be said to the server; each rejects when no acknowledgement comes within 10 s or the channel is lost. */
export interface Realtime {
  start(payload: StartConversation): Promise<StartConversationAck>;
  say(payload: UserMessage): Promise<UserMessageAck>;
  interrupt(payload: Interrupt): Promise<InterruptAck>;
  close(): void;
}

/**
 * Opens the real-time channel and keeps it open until `close`.
 * Reconnects after 1 to 5 s, randomised by half; a connection attempt may take 20 s.
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

  /** An emit on a lost channel would be kept and sent a second time beside the owner's own repetition. */
  const patient = () => {
    if (!socket.connected) throw new Error('The real-time channel is not connected.');
    return socket.timeout(ACK_TIMEOUT_MS);
  };
  return {
    start: async (payload) => patient().emitWithAck('start_conversation', payload),
    say: async (payload) => patient().emitWithAck('user_message', payload),
    interrupt: async (payload) => patient().emitWithAck('interrupt', payload),
    close: () => {
      closed = true;
      clearTimeout(retry);
      socket.removeAllListeners();
      socket.close();
    },
  };
}

/** A refused handshake carries the refusal in `data`, as socket.io passes it on. */
function isUnauthenticated(error: Error): boolean {
  if (!('data' in error)) return false;
  const { data } = error;
  return typeof data === 'object' && data !== null && 'code' in data && data.code === 'unauthenticated';
}
