import type { EventOf, EventType, StoredEvent } from './types.ts';

/** What a subscriber does with events: at least once with each, in their order for each conversation. */
export interface Subscription {
  /** Names its position in the database: another name begins anew. */
  readonly name: string;
  readonly types: readonly EventType[];
  /**
   * Does what there is to do for one event. What rejects is tried again, and passed over in the end.
   * @param signal aborts when this instance stops reading
   */
  handle(event: StoredEvent, signal: AbortSignal): Promise<void>;
  /** This instance reads from now on: what the one before it kept in memory alone is gone. */
  begin?(signal: AbortSignal): Promise<void>;
}

/** A subscription that names its types once, and is given events of those alone. */
export function subscription<T extends EventType>(
  options: Pick<Subscription, 'name' | 'begin'> & {
    types: readonly T[];
    handle(event: EventOf<T>, signal: AbortSignal): Promise<void>;
  },
): Subscription {
  const isTheirs = (event: StoredEvent): event is EventOf<T> =>
    options.types.some((type) => type === event.type);
  return {
    ...options,
    async handle(event, signal) {
      if (isTheirs(event)) await options.handle(event, signal);
    },
  };
}
