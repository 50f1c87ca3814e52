import { setTimeout as pause } from 'node:timers/promises';
import type { SignedIn } from '#shared/accounts';
import { AGENT_STATE_ATTRIBUTE, joinedRoomSchema } from '#shared/rooms';
import type { Clip } from '../speech/speech-set.ts';
import { type FromRoomCustomer, RoomCustomer } from '../support/room-customers.ts';
import { register } from './turn-latency.ts';

/** Between an answer and the next question. */
const BREATH_MS = 700;
const ANSWERED_WITHIN_MS = 20_000;

/** The times of an answer, in milliseconds since 1970. */
export interface RoomAnswer {
  /** The true end of the question. */
  endedAt: number;
  /** The first final caption of it; null if none came. */
  takenAt: number | null;
  soundAt: number | null;
}

/** A customer in a room with our agent, or any other that shows its state like LiveKit's. */
export class RoomCall {
  readonly customer: RoomCustomer;
  readonly #identity: string;
  readonly begunAt = Date.now();

  constructor(customer: RoomCustomer, identity: string) {
    this.customer = customer;
    this.#identity = identity;
  }

  /** Requests admission to a room of the customer's own, registering them if needed. */
  static async join(url: string, account?: SignedIn): Promise<RoomCall> {
    const { token, user } = account ?? (await register(url));
    const userId = user._id;
    const response = await fetch(`${url}/api/livekit/join-room`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        roomName: `bench ${userId}`,
        participantName: '-',
        participantIdentity: userId,
      }),
    });
    const { wsUrl, participantToken } = joinedRoomSchema.parse(await response.json());
    return new RoomCall(new RoomCustomer(wsUrl, participantToken), userId);
  }

  /** Recognised texts that they received. */
  get understood(): string[] {
    return this.customer
      .all('caption')
      .filter(({ isFinal, segment, text }) => isFinal && text !== '' && segment.startsWith(this.#identity))
      .map(({ text }) => text);
  }

  async agentListens(from: number): Promise<void> {
    await this.customer.notices(
      'attributes',
      ({ attributes }) => attributes[AGENT_STATE_ATTRIBUTE] === 'listening',
      { from, withinMs: 60_000 },
    );
  }

  /** Says a sentence, and waits for the end of the answer. */
  async ask(clip: Clip): Promise<RoomAnswer> {
    const { customer } = this;
    await pause(BREATH_MS);
    const from = customer.events.length;
    const endedAt = (await customer.say(clip.id)) - (clip.durationMs - clip.endMs);
    const within = { from, withinMs: ANSWERED_WITHIN_MS };
    const sound = await customer
      .notices('sound', ({ isHeard, identity }) => isHeard && identity.startsWith('agent-'), within)
      .catch(() => null);
    const isTaken = (event: FromRoomCustomer) =>
      event.kind === 'caption' && event.isFinal && event.segment.startsWith(this.#identity);
    const taken = customer.events.slice(from).find(isTaken);
    if (sound) await this.agentListens(customer.events.indexOf(sound));
    return { endedAt, takenAt: taken && 'at' in taken ? taken.at : null, soundAt: sound?.at ?? null };
  }

  leave(): Promise<void> {
    return this.customer.leave();
  }
}
