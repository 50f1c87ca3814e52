import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { SignedIn } from '#shared/accounts';
import { conversationSchema, type Message } from '#shared/conversations';
import { AGENT_STATE_ATTRIBUTE } from '#shared/rooms';
import type { Clip } from '../speech/speech-set.ts';
import type { RoomCustomer } from '../support/room-customers.ts';
import { RoomCall } from './rooms-agent.call.ts';
import { register } from './turn-latency.ts';

/** A question asked in a room, and its answer; in milliseconds since 1970. */
interface RoomExchange {
  /** The true end of the question, the first time. */
  endedAt: number;
  timesSaid: number;
  /** The agent's first sound after it; null: they gave up. */
  answeredAt: number | null;
}

/** Without a sound for this long they ask again, or sooner, when a new agent listens. */
const SAYS_AGAIN_MS = 5_000;
const NOTICES_MS = 700;
const PATIENCE_MS = 60_000;
const ENDS_WITHIN_MS = 40_000;
const LOOK_MS = 100;

/** A person in their own room with the agent, who returns when the room is lost. */
export class InstanceRoom {
  readonly exchanges: RoomExchange[] = [];
  /** Recognised texts that they received. */
  readonly told: string[] = [];
  timesOut = 0;
  readonly #urls: readonly string[];
  readonly #account: SignedIn;
  #call: RoomCall;
  #hasLeft = false;

  private constructor(urls: readonly string[], account: SignedIn, call: RoomCall) {
    this.#urls = urls;
    this.#account = account;
    this.#call = call;
    void this.#comeBack();
  }

  /** @param at index of the instance that is asked, and sends the agent */
  static async enter(urls: readonly string[], at: number): Promise<InstanceRoom> {
    const url = urls[at] ?? '';
    const account = await register(url);
    const call = await RoomCall.join(url, account);
    await call.agentListens(0);
    return new InstanceRoom(urls, account, call);
  }

  /** Asks until it is answered, and waits for the end of the answer. */
  async ask(clip: Clip): Promise<void> {
    const exchange: RoomExchange = { endedAt: 0, timesSaid: 0, answeredAt: null };
    this.exchanges.push(exchange);
    const until = Date.now() + PATIENCE_MS;
    while (exchange.answeredAt === null && Date.now() < until) {
      const { customer } = this.#call;
      const from = customer.events.length;
      const endedAt = (await customer.say(clip.id)) - (clip.durationMs - clip.endMs);
      exchange.endedAt ||= endedAt;
      exchange.timesSaid++;
      const sound = await this.#heard(customer, from);
      exchange.answeredAt = sound?.at ?? null;
    }
    await this.#isOver(exchange.answeredAt ?? Date.now());
  }

  /** When the agent was back and listening, if it had been gone after `since`; both in milliseconds since 1970. */
  listenedAgainAt(since: number): number | null {
    const { customer } = this.#call;
    const after = (at: number) => at > since;
    const isNew = [...customer.all('came'), ...customer.all('joined')].some(({ at }) => after(at));
    if (!isNew) return null;
    const listening = customer
      .all('attributes')
      .find(
        (event) =>
          isAgent(event) && after(event.at) && event.attributes[AGENT_STATE_ATTRIBUTE] === 'listening',
      );
    return listening?.at ?? null;
  }

  debug() {
    return this.#call.customer.events;
  }
  /** Restarts the counts. */
  startAfresh(): void {
    this.exchanges.length = 0;
    this.told.length = 0;
    this.timesOut = 0;
    this.#call.customer.events.length = 0;
  }

  /** The stored messages of their calls, each by itself. */
  async records(): Promise<Message[][]> {
    const headers = { authorization: `Bearer ${this.#account.token}` };
    const answer = await fetch(`${this.#urls[0]}/api/conversations`, { headers });
    return z
      .array(conversationSchema)
      .parse(await answer.json())
      .map(({ messages }) => messages);
  }

  /** Recognised texts received since the last call. */
  takeUnderstood(): string[] {
    return [...this.told, ...this.#call.understood];
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#call.leave();
  }

  /** An agent's first sound after this many events; null: ask again. */
  async #heard(customer: RoomCustomer, from: number): Promise<{ at: number } | null> {
    for (const until = Date.now() + SAYS_AGAIN_MS; Date.now() < until; await pause(LOOK_MS)) {
      const since = customer.events.slice(from);
      const sound = since.find((event) => event.kind === 'sound' && event.isHeard && isAgent(event));
      if (sound?.kind === 'sound') return sound;
      const state = since.findLast((event) => event.kind === 'attributes' && isAgent(event));
      const isWaiting =
        state?.kind === 'attributes' &&
        state.attributes[AGENT_STATE_ATTRIBUTE] === 'listening' &&
        state.at < Date.now() - NOTICES_MS;
      if (isWaiting && since.some((event) => event.kind === 'came' && isAgent(event))) return null;
    }
    return null;
  }

  /** The agent has finished speaking and listens, or its events have stopped. */
  async #isOver(since: number): Promise<void> {
    const state = () =>
      this.#call.customer.all('attributes').findLast((event) => isAgent(event) && event.at >= since);
    for (const until = Date.now() + ENDS_WITHIN_MS; Date.now() < until; await pause(LOOK_MS))
      if (state()?.attributes[AGENT_STATE_ATTRIBUTE] === 'listening') return;
  }

  /** A person who lost the room presses "join" again. */
  async #comeBack(): Promise<void> {
    for (let n = 0; !this.#hasLeft; await pause(LOOK_MS)) {
      if (this.#call.customer.all('out').length === 0) continue;
      this.timesOut++;
      this.told.push(...this.#call.understood);
      const before = this.#call;
      const call = await RoomCall.join(this.#urls[n++ % this.#urls.length] ?? '', this.#account).catch(
        () => null,
      );
      if (!call) continue;
      this.#call = call;
      await before.leave();
    }
  }
}

const isAgent = ({ identity }: { identity: string }) => identity.startsWith('agent-');
