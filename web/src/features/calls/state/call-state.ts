import type { DemoAgent } from '#shared/agents';
import type { Contact } from '#shared/conversations';
import { type FloorState, floorPhase, initialFloorState } from '../floor/floor-state.ts';
import { initialTalkState, type TalkState } from '../speech/talk-state.ts';
import type { CustomerEntry, Entries } from './entries.ts';

export interface CallState extends FloorState {
  /** `lost` reconnects by itself. */
  connection: 'connecting' | 'open' | 'lost';
  /** Null until the server has started the conversation; no message can be sent before. */
  conversationId: string | null;
  agent: DemoAgent | null;
  /** ISO time of the start, null before it. */
  startedAt: string | null;
  /** The topic of the call, null until the server sends it. */
  title: string | null;
  /** The contact details that the customer left for a colleague. */
  contact: Contact | null;
  entries: Entries;
  /** The customer's side: the microphone. */
  talk: TalkState;
  /** Why the call could not be started, as a sentence. */
  problem: string | null;
  /** The newest reply came as text, because others were waiting for the voice. */
  voiceBusy: boolean;
  /** The server's error since the last message or answer, as a sentence. */
  error: string | null;
  /** Over for good: hung up here, or ended elsewhere. */
  ended: boolean;
}

export const initialCallState: CallState = {
  ...initialFloorState,
  connection: 'connecting',
  conversationId: null,
  agent: null,
  startedAt: null,
  title: null,
  contact: null,
  entries: [],
  talk: initialTalkState,
  problem: null,
  voiceBusy: false,
  error: null,
  ended: false,
};

/** Whether a message may be sent now (specification, section 5): `text` is not blank and no answer is awaited. */
export function canSay(state: CallState, text: string): boolean {
  return text.trim() !== '' && state.conversationId !== null && !state.waiting && !state.ended;
}

/** The agent's visible state. `hearing`: it hears the customer speak. `held`: it pauses for them. */
export type PresenceState =
  | 'connecting'
  | 'ready'
  | 'listening'
  | 'hearing'
  | 'thinking'
  | 'speaking'
  | 'held'
  | 'ended';

const presences = { candidate: 'hearing', taken: 'thinking', speaking: 'speaking', held: 'held' } as const;

export function presenceOf(state: CallState): PresenceState {
  if (state.ended) return 'ended';
  if (state.conversationId === null || state.connection !== 'open') return 'connecting';
  const phase = floorPhase(state, state.talk);
  if (phase !== 'open') return presences[phase];
  return state.talk.phase === 'open' ? 'listening' : 'ready';
}

/** The customer's newest message, if it is stored, has no answer yet, and may be sent again. */
export function unansweredEntry(state: CallState): CustomerEntry | null {
  const last = state.entries.at(-1);
  return last?.kind === 'customer' && last.delivery === 'stored' && last.repeatable ? last : null;
}
