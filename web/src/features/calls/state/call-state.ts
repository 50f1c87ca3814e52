import type { DemoAgent } from '#shared/agents';
import type { Citation, Contact } from '#shared/conversations';
import { initialTalkState, type TalkState } from '../speech/talk-state.ts';

/** Something the customer said. `id` is the client's own, so that saying it again is recognised. */
export interface CustomerEntry {
  kind: 'customer';
  id: string;
  text: string;
  /** ISO time. */
  at: string;
  /** `unanswered`: stored, but the answer failed. `failed`: not stored; `problem` says why. */
  delivery: 'sending' | 'stored' | 'unanswered' | 'failed';
  problem: string | null;
  /** Whether the server knows it by our id: only then may it be sent again without being stored twice. */
  repeatable: boolean;
  /** Whether it was dictated on this page: then one wants to know how it was understood. */
  isSpoken: boolean;
}

export interface Sentence {
  index: number;
  text: string;
}

/** Something the agent said. `id` is the reply's on the wire; of one that was read back, the message's. */
export interface AgentEntry {
  kind: 'agent';
  id: string;
  /** Id of the stored message, null until it is stored. */
  messageId: string | null;
  text: string;
  at: string;
  /** In order; empty when the reply came as a whole. */
  sentences: readonly Sentence[];
  citations: readonly Citation[];
  interrupted: boolean;
}

export type Entry = CustomerEntry | AgentEntry;

export interface CallState {
  /** `lost` comes back by itself. */
  connection: 'connecting' | 'open' | 'lost';
  /** Null until the server has started the conversation; nothing can be said before. */
  conversationId: string | null;
  agent: DemoAgent | null;
  /** ISO time the call began, null until it has. */
  startedAt: string | null;
  /** What the call is about, null until the server has said so. */
  title: string | null;
  /** What the customer left so that a colleague can get back to them. */
  contact: Contact | null;
  entries: readonly Entry[];
  /** A message has been sent and neither an answer nor a failure has come. */
  waiting: boolean;
  /** The agent says it is preparing a reply. */
  typing: boolean;
  /** The reply whose turn to be heard has come, from before its first sound to after its last. */
  voicing: string | null;
  /** The sentence that is leaving the loudspeaker. */
  speaking: { replyId: string; index: number } | null;
  /** The agent's voice pauses because somebody speaks over it. */
  held: boolean;
  /** The customer's side: the microphone. */
  talk: TalkState;
  /** The browser makes no sound before the person touches the page. */
  soundBlocked: boolean;
  /** Why the call could not be started, as a sentence. */
  problem: string | null;
  /** What the server said went wrong since something was last said or answered, as a sentence. */
  error: string | null;
  /** Over for good: hung up here, or ended elsewhere. */
  ended: boolean;
}

export const initialCallState: CallState = {
  connection: 'connecting',
  conversationId: null,
  agent: null,
  startedAt: null,
  title: null,
  contact: null,
  entries: [],
  waiting: false,
  typing: false,
  voicing: null,
  speaking: null,
  held: false,
  talk: initialTalkState,
  soundBlocked: false,
  problem: null,
  error: null,
  ended: false,
};

/** Whether a message may be sent now (specification, section 5): `text` is not blank and nothing is under way. */
export function canSay(state: CallState, text: string): boolean {
  return text.trim() !== '' && state.conversationId !== null && !state.waiting && !state.ended;
}

/** What the agent is doing, at a glance. `hearing`: it hears the customer speak. `held`: it pauses for them. */
export type PresenceState =
  | 'connecting'
  | 'ready'
  | 'listening'
  | 'hearing'
  | 'thinking'
  | 'speaking'
  | 'held'
  | 'ended';

export function presenceOf(state: CallState): PresenceState {
  if (state.ended) return 'ended';
  if (state.conversationId === null || state.connection !== 'open') return 'connecting';
  if (state.held && state.voicing !== null) return 'held';
  const { phase, isHeard } = state.talk;
  const recording = phase === 'open' && state.talk.mode === 'push-to-talk';
  if (phase === 'open' && isHeard && !state.speaking) return 'hearing';
  if (state.speaking) return 'speaking';
  // A sentence that is still being made or decoded is no end of speaking.
  const preparing = state.voicing !== null && !state.soundBlocked;
  if (phase === 'finishing' || (!recording && (state.waiting || state.typing || preparing)))
    return 'thinking';
  return phase === 'open' ? 'listening' : 'ready';
}

/** The newest message of the customer, when it is stored, has no answer yet, and may be sent again. */
export function unansweredEntry(state: CallState): CustomerEntry | null {
  const last = state.entries.at(-1);
  return last?.kind === 'customer' && last.delivery === 'stored' && last.repeatable ? last : null;
}
