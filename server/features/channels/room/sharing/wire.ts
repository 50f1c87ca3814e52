import { z } from 'zod';
import type { RoomAgent } from '../call-record.ts';

/** An agent; null: the demo agent, which is everybody's. */
export const agentNameSchema = z.object({ agentId: z.string(), ownerId: z.string() }).nullable();
export type AgentName = z.infer<typeof agentNameSchema>;

const heldRoomSchema = z.object({
  roomName: z.string(),
  agent: agentNameSchema,
  /** The user for whom the agent was sent; null: for people who were there already. */
  holder: z.string().nullable(),
  /** Users in it, and admitted users on their way. */
  people: z.array(z.string()),
  expected: z.array(z.string()),
});
/** A room whose agent belongs to one instance. */
export type HeldRoom = z.infer<typeof heldRoomSchema>;

const dutySchema = z.object({
  rooms: z.array(heldRoomSchema),
  /**
   * Further rooms that may have an agent of this instance, and how many of them are reserved for accounts without one.
   */
  free: z.number(),
  kept: z.number(),
  /** How long a new utterance there would wait to be recognised, in milliseconds. */
  earsWaitMs: z.number(),
});
/** An instance's report of its agents in rooms. */
export type Duty = z.infer<typeof dutySchema>;
export const toldDutySchema = dutySchema.extend({ instance: z.string() });

const wantedRoomSchema = heldRoomSchema.omit({ people: true, expected: true }).extend({
  /** Admitted users. */
  users: z.array(z.string()),
});
/** A room that needs an agent. */
export type WantedRoom = z.infer<typeof wantedRoomSchema>;
/** `isOpen`: the sender cannot send the agent itself. */
export const toldWantedSchema = wantedRoomSchema.extend({ isOpen: z.boolean() });

export const nameOf = ({ profile, ownerId }: RoomAgent): AgentName =>
  ownerId === null ? null : { agentId: profile.id, ownerId };
