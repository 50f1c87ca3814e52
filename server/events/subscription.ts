import type { EventOf, EventType, StoredEvent } from './types.ts';

/** A subscriber of events: gets each at least once, in order within a conversation. */
export interface Subscription {
  /** Names its position in the database: a new name starts anew. */
  readonly name: string;
  readonly types: readonly EventType[];
  /**
   * Handles one event. A rejection is retried, and in the end the event is skipped.
   * @param signal aborts when this instance stops reading
   */
  handle(event: StoredEvent, signal: AbortSignal): Promise<void>;
  /** Called when this instance starts reading: state in the memory of the previous reader is lost. */
  begin?(signal: AbortSignal): Promise<void>;
}

/** A subscription that lists its types once, and gets only events of those. */
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
