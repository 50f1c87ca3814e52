import { defaultSilenceLimits, type SilenceLimits } from '#server/features/floor/silence';

/** Limits of rooms, and their waiting times. */
export interface RoomLimits extends SilenceLimits {
  /** Agents in rooms at the same time in this process: each one hears, thinks and speaks on its processors. */
  maxAgents: number;
  /** Agents reserved for accounts without one: while no more are free, no account gets a second one. */
  keptAgents: number;
  /** After waiting so long in a room without a visitor, an agent may be sent to another room. */
  unvisitedMs: number;
  /** People in one room, without the agent. */
  maxPeople: number;
  /** Rooms one user may be in, or be expected in, at the same time. */
  maxRoomsPerUser: number;
  /** Nobody new is admitted while an utterance would wait so long to be recognised. */
  earsWaitMs: number;
  /**
   * How long a room waits for the first person, and an agent alone in a room for a person who lost their connection.
   */
  arrivalMs: number;
  returnMs: number;
  /** A question among several people becomes the agent's after so long without an answer. */
  unansweredMs: number;
  /** A record counts as open for this long after each sign of life. */
  recordLifeMs: number;
  /** How long a participant's token admits. */
  tokenTtlMs: number;
  /** How often an instance reports its agents, and after how long a silence it counts as lost. */
  tellMs: number;
  silentMs: number;
  /** How often an instance tries to get the claim of a room that needs an agent. */
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
  // Longer than the claim of a killed instance lasts, and than a lost shared state goes unnoticed.
  silentMs: 2_000,
  claimMs: 250,
};
