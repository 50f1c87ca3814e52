import type { Subscription } from '#server/engines/rooms/embedded/forwarding/subscription';
import type { Transport } from '#server/engines/rooms/embedded/media/transport';

/**
 * The connection on which a participant receives: a separate one, or in newer clients the one on which it
 * publishes.
 */
export interface Downlink {
  readonly transport: Transport;
  /** Finds a media section for a subscription, which starts once the client has agreed. */
  place(subscription: Subscription): void;
  release(subscription: Subscription): void;
}
