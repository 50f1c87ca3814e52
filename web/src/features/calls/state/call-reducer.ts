import type {
  AiResponse,
  AiResponseChunk,
  ConversationStarted,
  ConversationUpdated,
  RealtimeError,
  ResumedMessage,
} from '#shared/realtime';
import { type TalkAction, talkReducer } from '../speech/talk-state.ts';
import {
  type AgentEntry,
  type CallState,
  type CustomerEntry,
  type Entry,
  initialCallState,
  unansweredEntry,
} from './call-state.ts';

export type CallAction =
  | TalkAction
  | { type: 'connected' }
  | { type: 'connection-lost' }
  /** `at` is this machine's time, since a clock that runs here is compared with it. */
  | { type: 'started'; event: ConversationStarted; at: string }
  | { type: 'start-failed'; problem: string }
  | { type: 'starting-over' }
  | { type: 'said'; id: string; text: string; at: string; isSpoken?: boolean }
  | { type: 'stored'; id: string }
  | { type: 'refused'; id: string; problem: string }
  | { type: 'saying-again'; id: string }
  | { type: 'said-elsewhere'; message: ResumedMessage }
  /** The server understood and stored what was said hands-free, and is going to answer it. */
  | { type: 'said-hands-free'; message: ResumedMessage }
  /** What was said hands-free, and could not be stored. */
  | { type: 'not-taken'; id: string; text: string; at: string; problem: string }
  | { type: 'chunk'; event: AiResponseChunk; at: string }
  | { type: 'response'; event: AiResponse }
  | { type: 'updated'; event: ConversationUpdated }
  | { type: 'typing'; typing: boolean }
  | { type: 'error'; event: RealtimeError }
  | { type: 'waited-too-long' }
  | { type: 'speech-started'; replyId: string }
  | { type: 'sentence-started'; replyId: string; index: number }
  | { type: 'sentence-ended'; replyId: string; index: number }
  | { type: 'speech-ended'; replyId: string }
  | { type: 'sound-blocked'; blocked: boolean }
  /** The agent's voice pauses, or goes on. */
  | { type: 'held'; held: boolean }
  /** `text` is what is stored of the reply now. */
  | { type: 'interrupted'; replyId: string; interrupted: boolean; text?: string }
  | { type: 'ended' };

/** The call after something happened. Pure. */
export function callReducer(state: CallState, action: CallAction): CallState {
  switch (action.type) {
    case 'connected':
      return { ...state, connection: 'open', problem: null };
    case 'connection-lost':
      return state.connection === 'connecting'
        ? { ...state, typing: false }
        : { ...state, connection: 'lost', typing: false, held: false };
    case 'started':
      return afterStart(state, action.event, action.at);
    case 'start-failed':
      return { ...state, problem: action.problem, waiting: false };
    case 'starting-over':
      return {
        ...initialCallState,
        connection: state.connection,
        soundBlocked: state.soundBlocked,
        talk: state.talk,
      };
    case 'said':
      return {
        ...withOwn(state, action, { delivery: 'sending', problem: null, isSpoken: action.isSpoken ?? false }),
        waiting: true,
        error: null,
      };
    case 'stored':
      return withCustomer(state, action.id, (entry) =>
        entry.delivery === 'sending' ? { ...entry, delivery: 'stored' } : entry,
      );
    case 'refused':
      return {
        ...withCustomer(state, action.id, (entry) => ({
          ...entry,
          delivery: 'failed',
          problem: action.problem,
        })),
        waiting: false,
        typing: false,
      };
    case 'saying-again':
      return {
        ...withCustomer(state, action.id, (entry) => ({ ...entry, delivery: 'sending', problem: null })),
        waiting: true,
        error: null,
      };
    case 'said-elsewhere':
      return state.entries.some((entry) => isSameMessage(entry, action.message))
        ? state
        : { ...state, entries: [...state.entries, toEntry(action.message)] };
    case 'said-hands-free':
      return state.entries.some((entry) => isSameMessage(entry, action.message))
        ? state
        : { ...state, waiting: true, error: null, entries: [...state.entries, toEntry(action.message)] };
    case 'not-taken':
      return state.entries.some((entry) => entry.id === action.id)
        ? state
        : withOwn(state, action, { delivery: 'failed', problem: action.problem, isSpoken: true });
    case 'chunk':
      return afterChunk(state, action.event, action.at);
    case 'response':
      return afterResponse(state, action.event);
    case 'updated':
      return {
        ...state,
        title: action.event.title ?? state.title,
        contact: action.event.contact ?? state.contact,
      };
    case 'typing':
      return { ...state, typing: action.typing };
    case 'error':
      return afterError(state, action.event);
    case 'waited-too-long':
      return state.waiting ? markUnanswered({ ...state, waiting: false, typing: false }) : state;
    case 'speech-started':
      return { ...state, voicing: action.replyId };
    case 'sentence-started':
      return { ...state, speaking: { replyId: action.replyId, index: action.index } };
    case 'sentence-ended':
      return state.speaking?.replyId === action.replyId && state.speaking.index === action.index
        ? { ...state, speaking: null }
        : state;
    case 'speech-ended':
      return {
        ...state,
        voicing: state.voicing === action.replyId ? null : state.voicing,
        speaking: state.speaking?.replyId === action.replyId ? null : state.speaking,
      };
    case 'sound-blocked':
      return { ...state, soundBlocked: action.blocked };
    case 'held':
      return state.held === action.held ? state : { ...state, held: action.held };
    case 'interrupted':
      return withAgent(state, action.replyId, (entry) => ({
        ...entry,
        interrupted: action.interrupted,
        text: action.text ?? entry.text,
      }));
    case 'ended':
      return { ...state, ended: true, waiting: false, typing: false, held: false };
    default: {
      const talk = talkReducer(state.talk, action);
      return talk === state.talk ? state : { ...state, talk };
    }
  }
}

/** With something the customer said here, at the end. */
function withOwn(
  state: CallState,
  { id, text, at }: { id: string; text: string; at: string },
  manner: Pick<CustomerEntry, 'delivery' | 'problem' | 'isSpoken'>,
): CallState {
  const entry: CustomerEntry = { kind: 'customer', id, text, at, repeatable: true, ...manner };
  return { ...state, entries: [...state.entries, entry] };
}

function afterStart(state: CallState, event: ConversationStarted, at: string): CallState {
  const { welcomeMessage: welcome, messages } = event;
  const startedAt = state.startedAt ?? messages?.[0]?.timestamp ?? at;
  const started = {
    ...state,
    conversationId: event.conversationId,
    agent: event.demoAgent,
    startedAt,
    problem: null,
  };
  if (messages) return resumed(started, messages);
  if (!welcome) return started;
  const entry: AgentEntry = {
    kind: 'agent',
    id: welcome._id,
    messageId: welcome._id,
    text: welcome.content,
    at: welcome.timestamp,
    sentences: [{ index: 0, text: welcome.content }],
    citations: [],
    interrupted: false,
  };
  return { ...started, entries: [entry] };
}

/** The server's account of what was said is the truth; what it has not got yet stays at the end. */
function resumed(state: CallState, messages: readonly ResumedMessage[]): CallState {
  const known = messages.map((message) => {
    const own = state.entries.find((entry) => isSameMessage(entry, message));
    if (!own) return toEntry(message);
    if (own.kind === 'agent')
      return { ...own, text: message.content, interrupted: message.interrupted === true };
    return { ...own, delivery: own.delivery === 'unanswered' ? own.delivery : ('stored' as const) };
  });
  const unsent = state.entries.filter(
    (entry) => entry.kind === 'customer' && !messages.some((message) => isSameMessage(entry, message)),
  );
  const entries = [...known, ...unsent];
  return { ...state, entries, waiting: state.waiting && entries.at(-1)?.kind === 'customer' };
}

function isSameMessage(entry: Entry, message: ResumedMessage): boolean {
  return entry.kind === 'agent'
    ? entry.messageId === message._id
    : entry.id === (message.clientMessageId ?? message._id);
}

function toEntry(message: ResumedMessage): Entry {
  if (message.role === 'user')
    return {
      kind: 'customer',
      id: message.clientMessageId ?? message._id,
      text: message.content,
      at: message.timestamp,
      delivery: 'stored',
      problem: null,
      repeatable: message.clientMessageId !== undefined,
      isSpoken: false,
    };
  return {
    kind: 'agent',
    id: message._id,
    messageId: message._id,
    text: message.content,
    at: message.timestamp,
    sentences: [],
    citations: message.citations ?? [],
    interrupted: message.interrupted === true,
  };
}

function afterChunk(state: CallState, event: AiResponseChunk, at: string): CallState {
  if (event.conversationId !== state.conversationId) return state;
  const existing = findAgent(state, event.responseId);
  if (existing?.interrupted) return state;
  const others = existing?.sentences.filter((sentence) => sentence.index !== event.index) ?? [];
  const sentences = [...others, { index: event.index, text: event.text }].sort((a, b) => a.index - b.index);
  // A stored reply has its final text already; a late sentence only adds what can be pointed at.
  const text = existing?.messageId ? existing.text : sentences.map((sentence) => sentence.text).join(' ');
  if (existing) return withAgent(state, existing.id, (entry) => ({ ...entry, sentences, text }));
  const entry: AgentEntry = {
    kind: 'agent',
    id: event.responseId,
    messageId: null,
    text,
    at,
    sentences,
    citations: [],
    interrupted: false,
  };
  return { ...state, entries: [...state.entries, entry] };
}

function afterResponse(state: CallState, event: AiResponse): CallState {
  if (event.conversationId !== state.conversationId) return state;
  const settled = { ...state, waiting: false, error: null };
  // Withdrawn before a word was heard, since the customer went on speaking: nothing was said.
  if (event.interrupted && event.message === '' && state.talk.mode === 'hands-free')
    return { ...state, entries: state.entries.filter((entry) => entry.id !== event.responseId) };
  const existing = state.entries.find(
    (entry): entry is AgentEntry =>
      entry.kind === 'agent' && (entry.id === event.responseId || entry.messageId === event.messageId),
  );
  const stored = {
    messageId: event.messageId,
    text: event.message,
    at: event.timestamp,
    citations: event.citations ?? [],
    interrupted: event.interrupted === true || existing?.interrupted === true,
  };
  if (existing) return withAgent(settled, existing.id, (entry) => ({ ...entry, ...stored }));
  return {
    ...settled,
    entries: [...state.entries, { kind: 'agent', id: event.responseId, sentences: [], ...stored }],
  };
}

/**
 * An error ends the waiting, and the message offers to be sent again. The simulator shows no more than that, the call of
 * an agent also what the server said (specification, section 8).
 */
function afterError(state: CallState, event: RealtimeError): CallState {
  if (event.conversationId && event.conversationId !== state.conversationId) return state;
  return markUnanswered(
    { ...state, waiting: false, typing: false, error: event.message },
    event.clientMessageId,
  );
}

/** Marks the message an error names, or else the one that waits for its answer. */
function markUnanswered(state: CallState, named?: string): CallState {
  const id = named ?? unansweredEntry(state)?.id;
  if (id === undefined) return state;
  return withCustomer(state, id, (entry) =>
    entry.delivery === 'failed' ? entry : { ...entry, delivery: 'unanswered' },
  );
}

function findAgent(state: CallState, id: string): AgentEntry | undefined {
  return state.entries.find((entry): entry is AgentEntry => entry.kind === 'agent' && entry.id === id);
}

function withAgent(state: CallState, id: string, change: (entry: AgentEntry) => AgentEntry): CallState {
  return {
    ...state,
    entries: state.entries.map((entry) =>
      entry.kind === 'agent' && entry.id === id ? change(entry) : entry,
    ),
  };
}

function withCustomer(
  state: CallState,
  id: string,
  change: (entry: CustomerEntry) => CustomerEntry,
): CallState {
  return {
    ...state,
    entries: state.entries.map((entry) =>
      entry.kind === 'customer' && entry.id === id ? change(entry) : entry,
    ),
  };
}
