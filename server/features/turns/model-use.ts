import type { ModelAllowance } from '#server/dialogue/contract';
import type { Scope } from '#server/lib/scope';

/** Counts, and bounds, what language models take in calls. */
export interface CallModelUse {
  /** @param conversationId null: nothing of it is stored. @param messageId the customer's; null: it is only thought ahead */
  allowance(turn: { scope: Scope; conversationId: string | null; messageId: string | null }): ModelAllowance;
}
