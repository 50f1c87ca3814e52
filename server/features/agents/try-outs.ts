import { createHash } from 'node:crypto';
import type { AgentProfile, CustomerTurn, DialogueMessage } from '#server/dialogue/contract';
import { rateLimited } from '#server/errors';
import {
  type AgentDraft,
  type AgentTry,
  DEFAULT_LANGUAGE,
  DEFAULT_MASKS,
  type TriedReply,
} from '#shared/agents';
import type { Citation, Outcome } from '#shared/conversations';

export interface TryOutsDependencies {
  /** Answers a turn and stores nothing; without a text the agent's welcome. */
  rehearse(
    turn: Pick<CustomerTurn, 'agent' | 'history'> & {
      account: string;
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
  /** A saved agent of theirs, whose documents a draft of it reads; without it drafts read none. */
  profileFor?: (userId: string, agentId: string) => Promise<AgentProfile | null>;
  /** Drops what was indexed of a draft. */
  forget(draft: Pick<AgentProfile, 'id' | 'revision'>): void;
  /** How long a draft's index is kept after its last use, in milliseconds. */
  keepMs?: number;
}

interface KeptDraft {
  userId: string;
  agent: AgentProfile;
  /** The dialogue's state after its replies, by the words that led there: a client is not trusted with it. */
  states: Map<string, unknown>;
  uses: number;
  timer: NodeJS.Timeout | undefined;
}

/** Long enough to think about the next question, short enough that drafts do not pile up. */
const KEEP_MS = 3 * 60_000;
/** Answers one user may wait for at once: two windows, not a flood of long documents to index. */
const MAX_AT_ONCE = 2;
/** A reply is known by the last words up to it: clients send only the end of a long talk. */
const TELLING_MESSAGES = 6;
/** Replies of one draft whose state is kept; the oldest goes first. */
const KEPT_STATES = 200;

/**
 * Talks with agents that are still being written. Nothing is stored: a draft lives in the dialogue's memory under the
 * hash of its text while somebody talks with it, and leaves soon after the last turn, or with the user's next draft.
 */
export class TryOuts {
  readonly #deps: TryOutsDependencies;
  readonly #kept = new Map<string, KeptDraft>();

  constructor(deps: TryOutsDependencies) {
    this.#deps = deps;
  }

  /** @throws AppError rate-limited for too many at once, what `rehearse` throws, or the signal's reason */
  async answer(userId: string, request: AgentTry, signal: AbortSignal): Promise<TriedReply> {
    const saved = request.agentId ? await this.#deps.profileFor?.(userId, request.agentId) : null;
    const draft = this.#take(userId, request.agent, saved ?? null);
    try {
      const { history, message, voice } = request;
      const { text, citations, outcome, state, audioData, audioType } = await this.#deps.rehearse(
        {
          account: userId,
          agent: draft.agent,
          history: withStates(history, draft.states),
          text: message,
          voice,
        },
        signal,
      );
      if (message !== undefined && state !== undefined)
        keepState(draft.states, [...history, { role: 'user', content: message }, said(text)], state);
      return {
        message: text,
        citations,
        ...(message === undefined ? {} : { outcome }),
        ...(audioData && audioType ? { audioData, audioType } : {}),
      };
    } finally {
      this.#release(draft);
    }
  }

  /** Forgets every draft. */
  close(): void {
    for (const draft of this.#kept.values()) this.#drop(draft);
  }

  #take(userId: string, text: AgentDraft, saved: AgentProfile | null): KeptDraft {
    const agent = profileOf(userId, text, saved);
    const theirs = [...this.#kept.values()].filter((draft) => draft.userId === userId);
    if (theirs.reduce((sum, { uses }) => sum + uses, 0) >= MAX_AT_ONCE) throw rateLimited(1_000);
    const draft = this.#kept.get(keyOf(agent)) ?? {
      userId,
      agent,
      states: new Map(),
      uses: 0,
      timer: undefined,
    };
    this.#kept.set(keyOf(agent), draft);
    draft.uses += 1;
    clearTimeout(draft.timer);
    for (const other of theirs) if (other !== draft && other.uses === 0) this.#drop(other);
    return draft;
  }

  #release(draft: KeptDraft): void {
    draft.uses -= 1;
    if (draft.uses > 0) return;
    draft.timer = setTimeout(() => this.#drop(draft), this.#deps.keepMs ?? KEEP_MS).unref();
  }

  #drop(draft: KeptDraft): void {
    clearTimeout(draft.timer);
    this.#kept.delete(keyOf(draft.agent));
    this.#deps.forget(draft.agent);
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

const keyOf = ({ id, revision }: AgentProfile) => `${id}@${revision}`;

/** The same words are the same revision, so that a talk goes on with the index of its first question. */
function profileOf(userId: string, text: AgentDraft, saved: AgentProfile | null): AgentProfile {
  const documents = saved?.documents;
  const read = documents ? `${saved.id}@${saved.revision}` : '';
  const revision = createHash('sha256')
    .update(`${JSON.stringify(text)}${read}`)
    .digest('hex');
  const { language = DEFAULT_LANGUAGE, masks = DEFAULT_MASKS } = text;
  return {
    ...text,
    language,
    masks,
    id: `draft:${userId}`,
    revision,
    isDraft: true,
    ...(documents ? { documents } : {}),
  };
}
