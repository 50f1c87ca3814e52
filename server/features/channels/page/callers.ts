import { member, type Serves, visitor } from '#server/lib/principal';

/** Those who may be in a call of their own: members, and visitors with the agent of their visit. */
export const CALLERS: readonly Serves[] = [member(), visitor()];
