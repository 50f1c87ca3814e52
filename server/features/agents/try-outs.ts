import { createHash } from 'node:crypto';
import type { AgentProfile, CustomerTurn, DialogueMessage } from '#server/dialogue/contract';
import { rateLimited } from '#server/lib/errors';
import { accountOf, type Scope } from '#server/lib/scope';
import {
  type AgentDraft,
  type AgentTry,
  DEFAULT_LANGUAGE,
  DEFAULT_MASKS,
  type TriedReply,
} from '#shared/agents';
import type { Citation, Outcome } from '#shared/conversations';
import { sayingsIn } from '#shared/sayings';
import { type HeldDraft, HeldDrafts } from './held-drafts.ts';

export interface TryOutsDependencies {
  /** Answers a turn and stores nothing; without a text, gives the agent's welcome. */
  rehearse(
    turn: Pick<CustomerTurn, 'agent' | 'history'> & {
      scope: Scope;
      text?: string | undefined;
      voice?: boolean | undefined;
    },
    signal: AbortSignal,
  ): Promise<{
    text: string;
    citations: Citation[];
    outcome: Outcome;
    state?: unknown;
    audioData?: string;
    audioType?: string;
  }>;
  /** A saved agent of the user, whose documents a draft of it reads; without this, drafts read none. */
  profileFor?: (scope: Scope, agentId: string) => Promise<AgentProfile | null>;
  /** Drops the index of a draft. */
  forget(draft: Pick<AgentProfile, 'id' | 'revision'>): void;
  /** How long to keep a draft's index after its last use, in milliseconds. */
  keepMs?: number;
}

/** Simultaneous answers per user: enough for two windows, not for a flood of long documents to index. */
const MAX_AT_ONCE = 2;
/** A reply is recognised by the last words up to it: clients send only the end of a long talk. */
const TELLING_MESSAGES = 6;
/** Replies of one draft whose state is kept; the oldest goes first. */
const KEPT_STATES = 200;

/**
 * Talks with unsaved agents. Stores nothing: during the talk, a draft lives in the dialogue's memory under the hash of
 * its text, as `HeldDrafts` describes.
 */
export class TryOuts {
  readonly #deps: TryOutsDependencies;
  readonly #drafts: HeldDrafts;
  /** The dialogue's state after a draft's replies, by the words that led there: clients are not trusted with it. */
  readonly #states = new WeakMap<HeldDraft, Map<string, unknown>>();

  constructor(deps: TryOutsDependencies) {
    this.#deps = deps;
    this.#drafts = new HeldDrafts({ forget: deps.forget, keepMs: deps.keepMs, maxAtOnce: MAX_AT_ONCE });
  }

  /** @throws AppError rate-limited for too many at once, what `rehearse` throws, or the signal's reason */
  async answer(scope: Scope, request: AgentTry, signal: AbortSignal): Promise<TriedReply> {
    const saved = request.agentId ? await this.#deps.profileFor?.(scope, request.agentId) : null;
    const draft = this.#drafts.take(accountOf(scope), profileOf(scope, request.agent, saved ?? null));
    if (!draft) throw rateLimited(1_000);
    const states = this.#states.get(draft) ?? new Map<string, unknown>();
    this.#states.set(draft, states);
    try {
      const { history, message, voice } = request;
      const { text, citations, outcome, state, audioData, audioType } = await this.#deps.rehearse(
        {
          scope,
          agent: draft.agent,
          history: withStates(history, states),
          text: message,
          voice,
        },
        signal,
      );
      if (message !== undefined && state !== undefined)
        keepState(states, [...history, { role: 'user', content: message }, said(text)], state);
      return {
        message: text,
        citations,
        ...(message === undefined ? {} : { outcome }),
        ...(audioData && audioType ? { audioData, audioType } : {}),
      };
    } finally {
      this.#drafts.release(draft);
    }
  }

  /** Forgets every draft. */
  close(): void {
    this.#drafts.close();
  }
}

type Words = AgentTry['history'][number];

const said = (content: string): Words => ({ role: 'assistant', content });

function withStates(history: readonly Words[], states: ReadonlyMap<string, unknown>): DialogueMessage[] {
  return history.map(({ role, content }, place) => {
    const state = role === 'assistant' ? states.get(hashOf(history.slice(0, place + 1))) : undefined;
    return { role, content, ...(state === undefined ? {} : { state }) };
  });
}

function keepState(states: Map<string, unknown>, talk: readonly Words[], state: unknown): void {
  states.set(hashOf(talk), state);
  const [oldest] = states.keys();
  if (states.size > KEPT_STATES && oldest !== undefined) states.delete(oldest);
}

const hashOf = (talk: readonly Words[]) =>
  createHash('sha256')
    .update(JSON.stringify(talk.slice(-TELLING_MESSAGES).map(({ role, content }) => [role, content])))
    .digest('hex');

/** The same words are the same revision, so that a talk reuses the index of its first question. */
function profileOf(scope: Scope, text: AgentDraft, saved: AgentProfile | null): AgentProfile {
  const documents = saved?.documents;
  const read = documents ? `${saved.id}@${saved.revision}` : '';
  const revision = createHash('sha256')
    .update(`${JSON.stringify(text)}${read}`)
    .digest('hex');
  const { name, companyName, personality, companyInfo, prompts } = text;
  const { language = DEFAULT_LANGUAGE, masks = DEFAULT_MASKS } = text;
  return {
    name,
    companyName,
    personality,
    companyInfo,
    prompts,
    sayings: sayingsIn(text),
    language,
    masks,
    id: `draft:${accountOf(scope)}`,
    revision,
    isDraft: true,
    ...(saved ? { basedOn: saved } : {}),
    ...(documents ? { documents } : {}),
  };
}
