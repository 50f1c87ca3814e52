import type { Subscription } from '#server/engines/rooms/embedded/forwarding/subscription';
import type { Transport } from '#server/engines/rooms/embedded/media/transport';

/** The connection on which a participant receives: one of its own, or in newer clients the one on which it publishes. */
export interface Downlink {
  readonly transport: Transport;
  /** Finds a media section for a subscription; it starts by itself once the client has agreed. */
  place(subscription: Subscription): void;
  /** Gives its section back. */
  release(subscription: Subscription): void;
}
