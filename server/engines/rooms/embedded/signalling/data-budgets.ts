import type { DataPacket } from '@livekit/protocol';
import { type Allowance, Budgets } from '#server/engines/rooms/embedded/rate';

type Kind = 'message' | 'stream' | 'call' | 'other';

const kB = 1_000;
/** Everyone in the room receives what one sends. Excess is dropped. */
const allowances: Record<Kind, Allowance> = {
  message: {
    messages: { perSecond: 250, atOnce: 1_000 },
    bytes: { perSecond: 500 * kB, atOnce: 4_000 * kB },
  },
  stream: { messages: { perSecond: 250, atOnce: 1_000 }, bytes: { perSecond: 500 * kB, atOnce: 4_000 * kB } },
  call: { messages: { perSecond: 50, atOnce: 500 }, bytes: { perSecond: 64 * kB, atOnce: 512 * kB } },
  other: { messages: { perSecond: 50, atOnce: 500 }, bytes: { perSecond: 64 * kB, atOnce: 512 * kB } },
};

const kinds: Partial<Record<NonNullable<DataPacket['value']['case']>, Kind>> = {
  user: 'message',
  chatMessage: 'message',
  streamHeader: 'stream',
  streamChunk: 'stream',
  streamTrailer: 'stream',
  rpcRequest: 'call',
  rpcAck: 'call',
  rpcResponse: 'call',
};

/** Limits the data that one participant sends to the others. */
export class DataBudgets {
  readonly #budgets = new Budgets(allowances);

  take(value: DataPacket['value'], bytes: number): boolean {
    return this.#budgets.take((value.case && kinds[value.case]) ?? 'other', bytes);
  }
}
