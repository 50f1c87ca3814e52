import type { Subscription } from '../forwarding/subscription.ts';
import type { Transport } from '../media/transport.ts';

/** The connection on which a participant receives: one of its own, or in newer clients the one on which it publishes. */
export interface Downlink {
  readonly transport: Transport;
  /** Finds a media section for a subscription; it starts by itself once the client has agreed. */
  place(subscription: Subscription): void;
  /** Gives its section back. */
  release(subscription: Subscription): void;
}
