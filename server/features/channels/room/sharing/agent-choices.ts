import { z } from 'zod';
import type { SharedState } from '#server/engines/shared-state/contract';
import { type AgentName, agentNameSchema } from './wire.ts';

/** An agent requested before anybody has come. */
interface Choice {
  agent: AgentName;
  until: number;
}

const choiceSchema = z.object({ roomName: z.string(), agent: agentNameSchema.optional() });
const TOPIC = 'agent chosen';
const CHOICE_LIFE_MS = 10 * 60_000;
const MAX_CHOICES = 1_000;

/** The chosen agents of empty rooms, on this instance or another. */
export class AgentChoices {
  readonly #sharedState: Pick<SharedState, 'tell'> | null;
  readonly #choices = new Map<string, Choice>();

  /** @param sharedState null if no other instance has these rooms */
  constructor(sharedState: Pick<SharedState, 'tell' | 'hear'> | null) {
    this.#sharedState = sharedState;
    sharedState?.hear(TOPIC, choiceSchema, ({ roomName, agent }) => this.#set(roomName, agent));
  }

  /** @returns undefined without a choice */
  of(roomName: string): AgentName | undefined {
    return this.#choices.get(roomName)?.agent;
  }

  choose(roomName: string, agent: AgentName): void {
    this.#set(roomName, agent);
    this.#sharedState?.tell(TOPIC, { roomName, agent });
  }

  /** The agent is on its way. */
  forget(roomName: string): void {
    if (this.#choices.delete(roomName)) this.#sharedState?.tell(TOPIC, { roomName });
  }

  sweep(): void {
    const now = Date.now();
    for (const [roomName, { until }] of this.#choices) if (until < now) this.#choices.delete(roomName);
  }

  #set(roomName: string, agent: AgentName | undefined): void {
    this.#choices.delete(roomName);
    if (agent === undefined) return;
    this.#choices.set(roomName, { agent, until: Date.now() + CHOICE_LIFE_MS });
    for (const [oldest] of this.#choices) if (this.#choices.size > MAX_CHOICES) this.#choices.delete(oldest);
  }
}
