import { createHash } from 'node:crypto';
import type { AgentProfile, Dialogue } from '#server/dialogue/contract';
import { accountOf, type Scope } from '#server/lib/scope';
import { timeLimit } from '#server/lib/wait';
import { DEFAULT_LANGUAGE, type WritingHelpRequest, type WritingHint } from '#shared/agents';

interface WritingHelpDependencies {
  dialogue: Pick<Dialogue, 'review' | 'forget'>;
  /** A saved agent of the user, whose documents count as answers, too. */
  profileFor(scope: Scope, agentId: string): Promise<AgentProfile | null>;
  /** How long it may take, in milliseconds. */
  limitMs?: number;
}

const LIMIT_MS = 15_000;

/** Hints for writing company information. Reads one text per user at a time, and stores nothing. */
export class WritingHelp {
  readonly #deps: WritingHelpDependencies;
  /** Texts being read, by user. */
  readonly #reading = new Map<string, AbortController>();

  constructor(deps: WritingHelpDependencies) {
    this.#deps = deps;
  }

  /**
   * Hints found within the time limit, or until a newer text of the same user (perhaps from another tab) replaces this
   * one.
   * @throws EngineError, or the signal's reason
   */
  async hints(
    scope: Scope,
    { companyInfo, agentId }: WritingHelpRequest,
    signal: AbortSignal,
  ): Promise<WritingHint[]> {
    const { dialogue, profileFor, limitMs = LIMIT_MS } = this.#deps;
    const account = accountOf(scope);
    const newer = new AbortController();
    this.#reading.get(account)?.abort();
    this.#reading.set(account, newer);
    const limit = timeLimit(limitMs);
    const hints: WritingHint[] = [];
    let agent: AgentProfile | null = null;
    try {
      const saved = agentId === undefined ? null : await profileFor(scope, agentId);
      agent = profileOf(scope, companyInfo, saved);
      const all = AbortSignal.any([signal, newer.signal, limit]);
      for await (const hint of dialogue.review(agent, all)) hints.push(hint);
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.aborted && !newer.signal.aborted) throw error;
    } finally {
      if (this.#reading.get(account) === newer) this.#reading.delete(account);
      if (agent) dialogue.forget(agent);
    }
    return hints;
  }

  /** Stops all reading. */
  close(): void {
    for (const reading of this.#reading.values()) reading.abort();
  }
}

/** The same words are the same revision; nothing of it outlives the process. */
function profileOf(scope: Scope, companyInfo: string, saved: AgentProfile | null): AgentProfile {
  const documents = saved?.documents;
  return {
    id: `writing:${accountOf(scope)}`,
    revision: createHash('sha256').update(`${saved?.revision}\0${companyInfo}`).digest('hex'),
    name: '',
    companyName: '',
    personality: '',
    prompts: [],
    language: saved?.language ?? DEFAULT_LANGUAGE,
    companyInfo,
    isDraft: true,
    ...(documents ? { documents } : {}),
  };
}
