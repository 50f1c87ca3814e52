import type { AgentProfile } from '#server/dialogue/contract';

/** A draft whose index is kept. */
export interface HeldDraft {
  readonly account: string;
  readonly agent: AgentProfile;
}

interface Holding extends HeldDraft {
  uses: number;
  timer: NodeJS.Timeout | undefined;
}

interface HeldDraftsOptions {
  /** Drops the index of a draft. */
  forget(draft: Pick<AgentProfile, 'id' | 'revision'>): void;
  /** Simultaneous uses by one user. */
  maxAtOnce: number;
  /** How long to keep a draft after its last use, in milliseconds. */
  keepMs?: number | undefined;
}

/** Long enough to think about the next question, short enough that drafts do not pile up. */
const KEEP_MS = 3 * 60_000;

/**
 * Unsaved agents in use: each leaves the dialogue's memory soon after its last use, or with the user's next draft. The
 * same id and revision are the same draft.
 */
export class HeldDrafts {
  readonly #options: HeldDraftsOptions;
  readonly #kept = new Map<string, Holding>();

  constructor(options: HeldDraftsOptions) {
    this.#options = options;
  }

  /** @returns the held draft, new or existing; null if the user has too many in use */
  take(account: string, agent: AgentProfile): HeldDraft | null {
    const theirs = [...this.#kept.values()].filter((draft) => draft.account === account);
    if (theirs.reduce((sum, { uses }) => sum + uses, 0) >= this.#options.maxAtOnce) return null;
    const draft = this.#kept.get(keyOf(agent)) ?? { account, agent, uses: 0, timer: undefined };
    this.#kept.set(keyOf(agent), draft);
    draft.uses += 1;
    clearTimeout(draft.timer);
    for (const other of theirs) if (other !== draft && other.uses === 0) this.#drop(other);
    return draft;
  }

  /** After each `take`. */
  release({ agent }: HeldDraft): void {
    const draft = this.#kept.get(keyOf(agent));
    if (!draft) return;
    draft.uses -= 1;
    if (draft.uses > 0) return;
    draft.timer = setTimeout(() => this.#drop(draft), this.#options.keepMs ?? KEEP_MS).unref();
  }

  /** Forgets every draft. */
  close(): void {
    for (const draft of this.#kept.values()) this.#drop(draft);
  }

  #drop(draft: Holding): void {
    clearTimeout(draft.timer);
    this.#kept.delete(keyOf(draft.agent));
    this.#options.forget(draft.agent);
  }
}

const keyOf = ({ id, revision }: AgentProfile) => `${id}@${revision}`;
