import type { Presence } from '#server/engines/participants/contract';
import { AGENT_NOTICE_ATTRIBUTE, AGENT_STATE_ATTRIBUTE, type AgentState } from '#shared/rooms';

const TROUBLE_CHECK_MS = 2_000;
/** How long a past problem is shown. */
const COMPLAINT_MS = 10_000;

/** The agent's state for the room: its activity, and what prevents it. */
export class AgentStatus {
  readonly #presence: Presence;
  readonly #trouble: () => string | null;
  readonly #checking: NodeJS.Timeout;
  #state: AgentState = 'initializing';
  #notice = '';
  #complaint: { text: string; until: number } | null = null;

  /** @param trouble the current problem, in one sentence; null without one */
  constructor(presence: Presence, trouble: () => string | null) {
    this.#presence = presence;
    this.#trouble = trouble;
    this.#checking = setInterval(() => this.#tellTrouble(), TROUBLE_CHECK_MS);
    this.#tellTrouble();
  }

  /** @returns whether the state is new */
  is(state: AgentState): boolean {
    if (state === this.#state) return false;
    this.#state = state;
    this.#presence.setAttributes({ [AGENT_STATE_ATTRIBUTE]: state });
    return true;
  }

  complain(text: string): void {
    this.#complaint = { text, until: Date.now() + COMPLAINT_MS };
    this.#tellTrouble();
  }

  close(): void {
    clearInterval(this.#checking);
  }

  #tellTrouble(): void {
    if (this.#complaint && this.#complaint.until < Date.now()) this.#complaint = null;
    const notice = this.#trouble() ?? this.#complaint?.text ?? '';
    if (notice === this.#notice) return;
    this.#notice = notice;
    this.#presence.setAttributes({ [AGENT_NOTICE_ATTRIBUTE]: notice });
  }
}
