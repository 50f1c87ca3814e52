import type {
  AiResponse,
  AiResponseChunk,
  ConversationStarted,
  ConversationUpdated,
  RealtimeError,
  ResumedMessage,
} from '#shared/realtime';
import { type FloorAction, floorReducer } from '../floor/floor-state.ts';
import { type TalkAction, talkReducer } from '../speech/talk-state.ts';
import { type CallState, initialCallState, unansweredEntry } from './call-state.ts';
import {
  changeOwn,
  changeReply,
  ownEntry,
  resumed,
  welcomeEntry,
  withMessage,
  withReply,
  withSentence,
} from './entries.ts';

export type CallAction =
  | TalkAction
  | FloorAction
  | { type: 'connected' }
  | { type: 'connection-lost' }
  /** `at` is this machine's time, since it is compared with a local clock. */
  | { type: 'started'; event: ConversationStarted; at: string }
  | { type: 'start-failed'; problem: string }
  | { type: 'starting-over' }
  | { type: 'said'; id: string; text: string; at: string; isSpoken?: boolean }
  /** `text`: as stored, with masked parts. */
  | { type: 'stored'; id: string; text: string }
  | { type: 'refused'; id: string; problem: string }
  | { type: 'saying-again'; id: string }
  | { type: 'said-elsewhere'; message: ResumedMessage }
  /** A hands-free utterance is understood and stored, and will be answered. */
  | { type: 'turn-committed'; message: ResumedMessage }
  /** A hands-free utterance that could not be stored. */
  | { type: 'not-committed'; id: string; text: string; at: string; problem: string }
  | { type: 'chunk'; event: AiResponseChunk; at: string }
  | { type: 'response'; event: AiResponse }
  | { type: 'updated'; event: ConversationUpdated }
  | { type: 'error'; event: RealtimeError }
  | { type: 'waited-too-long' }
  /** `text` is the stored text of the reply now. */
  | { type: 'interrupted'; replyId: string; interrupted: boolean; text?: string }
  | { type: 'ended' };

/** The call after an action. Pure. */
export function callReducer(state: CallState, action: CallAction): CallState {
  const { entries } = state;
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
    case 'starting-over': {
      const { connection, soundBlocked, talk } = state;
      return { ...initialCallState, connection, soundBlocked, talk };
    }
    case 'said': {
      const entry = ownEntry(action, { isSpoken: action.isSpoken ?? false });
      return { ...state, waiting: true, error: null, entries: [...entries, entry] };
    }
    case 'stored':
      return withDelivery(state, action.id, (entry) => ({
        ...entry,
        text: action.text,
        delivery: entry.delivery === 'sending' ? 'stored' : entry.delivery,
      }));
    case 'refused': {
      const { id, problem } = action;
      const settled = { ...state, waiting: false, typing: false };
      return withDelivery(settled, id, (entry) => ({ ...entry, delivery: 'failed', problem }));
    }
    case 'saying-again': {
      const waiting = { ...state, waiting: true, error: null };
      return withDelivery(waiting, action.id, (entry) => ({ ...entry, delivery: 'sending', problem: null }));
    }
    case 'said-elsewhere':
      return { ...state, entries: withMessage(entries, action.message) };
    case 'turn-committed': {
      const taken = withMessage(entries, action.message);
      return taken === entries ? state : { ...state, waiting: true, error: null, entries: taken };
    }
    case 'not-committed': {
      if (entries.some((entry) => entry.id === action.id)) return state;
      const { problem } = action;
      const entry = ownEntry(action, { delivery: 'failed', problem, isSpoken: true });
      return { ...state, entries: [...entries, entry] };
    }
    case 'chunk':
      return action.event.conversationId === state.conversationId
        ? { ...state, entries: withSentence(entries, action.event, action.at) }
        : state;
    case 'response':
      return afterResponse(state, action.event);
    case 'updated': {
      const { title = state.title, contact = state.contact } = action.event;
      return { ...state, title, contact };
    }
    case 'error':
      return afterError(state, action.event);
    case 'waited-too-long':
      return state.waiting ? markUnanswered({ ...state, waiting: false, typing: false }) : state;
    case 'interrupted': {
      const { replyId, interrupted, text } = action;
      const cut = changeReply(entries, replyId, (entry) => ({
        ...entry,
        interrupted,
        text: text ?? entry.text,
      }));
      return { ...state, entries: cut };
    }
    case 'ended':
      return { ...state, ended: true, waiting: false, typing: false, held: false };
    case 'typing':
    case 'held':
    case 'reply-started':
    case 'sentence-started':
    case 'sentence-ended':
    case 'reply-ended':
    case 'sound-blocked':
      return floorReducer(state, action);
    default: {
      const talk = talkReducer(state.talk, action);
      return talk === state.talk ? state : { ...state, talk };
    }
  }
}

function afterStart(state: CallState, event: ConversationStarted, at: string): CallState {
  const { conversationId, demoAgent: agent, welcomeMessage: welcome, messages } = event;
  const startedAt = state.startedAt ?? messages?.[0]?.timestamp ?? at;
  const started = { ...state, conversationId, agent, startedAt, problem: null };
  if (!messages) return welcome ? { ...started, entries: [welcomeEntry(welcome)] } : started;
  const entries = resumed(state.entries, messages);
  return { ...started, entries, waiting: state.waiting && entries.at(-1)?.kind === 'customer' };
}

function afterResponse(state: CallState, event: AiResponse): CallState {
  if (event.conversationId !== state.conversationId) return state;
  if (event.message === '') {
    const entries = state.entries.filter((entry) => entry.id !== event.responseId);
    // The customer asked for a moment, so the agent says nothing.
    if (!event.interrupted) return { ...state, entries, waiting: false, error: null };
    // Cancelled before a word was played, because the customer continues: both utterances get one answer.
    if (state.talk.mode === 'hands-free' || entries.slice(-2).every(({ kind }) => kind === 'customer'))
      return { ...state, entries };
  }
  const voiceBusy = event.voice === 'busy';
  return { ...state, waiting: false, error: null, voiceBusy, entries: withReply(state.entries, event) };
}

/**
 * An error ends the waiting, and the message offers to be sent again. The simulator shows only that, an agent's call
 * also the server's sentence (specification, section 8).
 */
function afterError(state: CallState, event: RealtimeError): CallState {
  if (event.conversationId && event.conversationId !== state.conversationId) return state;
  return markUnanswered(
    { ...state, waiting: false, typing: false, error: event.message },
    event.clientMessageId,
  );
}

/** Marks the message that an error names, or else the one that waits for its answer. */
function markUnanswered(state: CallState, named?: string): CallState {
  const id = named ?? unansweredEntry(state)?.id;
  if (id === undefined) return state;
  return withDelivery(state, id, (entry) =>
    entry.delivery === 'failed' ? entry : { ...entry, delivery: 'unanswered' },
  );
}

const withDelivery = (state: CallState, id: string, change: Parameters<typeof changeOwn>[2]): CallState => ({
  ...state,
  entries: changeOwn(state.entries, id, change),
});
