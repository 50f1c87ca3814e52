import type { SignalRequest } from '@livekit/protocol';
import { type Allowance, Budgets } from '#server/engines/rooms/embedded/rate';

type Kind = 'description' | 'announcement' | 'choice' | 'face' | 'other';

const kB = 1_000;
const MB = 1_000_000;
/**
 * Well above a client's needs in a room of a hundred that all enter at once. Requests that lead to a message
 * for everyone are the most expensive.
 */
const allowances: Record<Kind, Allowance> = {
  description: { messages: { perSecond: 20, atOnce: 200 }, bytes: { perSecond: MB, atOnce: 8 * MB } },
  announcement: { messages: { perSecond: 10, atOnce: 100 }, bytes: { perSecond: 16 * kB, atOnce: 64 * kB } },
  choice: { messages: { perSecond: 20, atOnce: 400 }, bytes: { perSecond: 32 * kB, atOnce: 128 * kB } },
  face: { messages: { perSecond: 5, atOnce: 50 }, bytes: { perSecond: 64 * kB, atOnce: 256 * kB } },
  other: { messages: { perSecond: 50, atOnce: 500 }, bytes: { perSecond: 64 * kB, atOnce: 512 * kB } },
};

const kinds: Partial<Record<NonNullable<SignalRequest['message']['case']>, Kind>> = {
  offer: 'description',
  answer: 'description',
  syncState: 'description',
  addTrack: 'announcement',
  mute: 'announcement',
  updateAudioTrack: 'announcement',
  updateVideoTrack: 'announcement',
  publishDataTrackRequest: 'announcement',
  subscription: 'choice',
  subscriptionPermission: 'choice',
  trackSetting: 'choice',
  updateMetadata: 'face',
};

/** Limits one participant's requests over all their sockets. */
export class SignalBudgets {
  readonly #budgets = new Budgets(allowances);

  /** @returns whether a request of this many bytes may be processed */
  take(request: SignalRequest['message']['case'], bytes: number): boolean {
    return this.#budgets.take((request && kinds[request]) ?? 'other', bytes);
  }
}
