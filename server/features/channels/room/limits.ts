import { defaultSilenceLimits, type SilenceLimits } from '#server/features/floor/silence';

/** How much rooms may take, and how long they wait. */
export interface RoomLimits extends SilenceLimits {
  /** Agents in rooms at the same time in this process: each one hears, thinks and speaks on its processors. */
  maxAgents: number;
  /** So many of them are kept for accounts that have none: while no more are free, nobody gets a second one. */
  keptAgents: number;
  /** An agent who waited so long in a room that nobody came to goes where somebody wants one. */
  unvisitedMs: number;
  /** People in one room; the agent comes on top. */
  maxPeople: number;
  /** Rooms one user may be in, or be expected in, at the same time. */
  maxRoomsPerUser: number;
  /** Nobody new comes in while what they say would wait so long to be understood. */
  earsWaitMs: number;
  /** How long a room waits for the first person, and an agent alone in a room for somebody whose connection broke. */
  arrivalMs: number;
  returnMs: number;
  /** A question among several people is the agent's when nobody has taken it up for so long. */
  unansweredMs: number;
  /** A record counts as written for this long after each sign of life. */
  recordLifeMs: number;
  /** How long a participant's token opens the door. */
  tokenTtlMs: number;
  /** How often an instance tells the others of its agents, and after how long a silence it is gone. */
  tellMs: number;
  silentMs: number;
  /** How often the claim of a room that is to have an agent is asked for. */
  claimMs: number;
}

export const defaultRoomLimits: RoomLimits = {
  ...defaultSilenceLimits,
  maxAgents: 20,
  keptAgents: 5,
  unvisitedMs: 10_000,
  maxPeople: 100,
  maxRoomsPerUser: 5,
  earsWaitMs: 3_000,
  arrivalMs: 60_000,
  returnMs: 20_000,
  unansweredMs: 2_500,
  recordLifeMs: 120_000,
  tokenTtlMs: 10 * 60_000,
  tellMs: 1_000,
  // Longer than a claim stays with an instance that was killed, and than a shared state that is away goes unnoticed.
  silentMs: 2_000,
  claimMs: 250,
};
