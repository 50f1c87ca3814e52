import type { ModelAllowance } from '#server/dialogue/contract';
import type { Scope } from '#server/lib/scope';

/** Counts and limits the use of language models in calls. */
export interface CallModelUse {
  /**
   * @param conversationId null: nothing of it is stored. @param messageId the customer's; null: the reply is only
   *   speculative
   */
  allowance(turn: { scope: Scope; conversationId: string | null; messageId: string | null }): ModelAllowance;
}
