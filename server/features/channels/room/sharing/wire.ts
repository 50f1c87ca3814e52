import { z } from 'zod';
import type { RoomAgent } from '../call-record.ts';

/** Which agent; null: the demo agent, who belongs to everybody. */
export const agentNameSchema = z.object({ agentId: z.string(), ownerId: z.string() }).nullable();
export type AgentName = z.infer<typeof agentNameSchema>;

const heldRoomSchema = z.object({
  roomName: z.string(),
  agent: agentNameSchema,
  /** For whom the agent was sent; null: for people who were there already. */
  holder: z.string().nullable(),
  /** Users who are in it, and those who were let in and are on their way. */
  people: z.array(z.string()),
  expected: z.array(z.string()),
});
/** A room whose agent is one instance's. */
export type HeldRoom = z.infer<typeof heldRoomSchema>;

const dutySchema = z.object({
  rooms: z.array(heldRoomSchema),
  /** Rooms that may have an agent of this instance besides, and how many of them are kept for accounts that have none. */
  free: z.number(),
  kept: z.number(),
  /** How long what somebody says there now would wait until it is understood, in milliseconds. */
  earsWaitMs: z.number(),
});
/** What an instance tells of its agents in rooms. */
export type Duty = z.infer<typeof dutySchema>;
export const toldDutySchema = dutySchema.extend({ instance: z.string() });

const wantedRoomSchema = heldRoomSchema.omit({ people: true, expected: true }).extend({
  /** Users who were let in. */
  users: z.array(z.string()),
});
/** A room that is to have an agent. */
export type WantedRoom = z.infer<typeof wantedRoomSchema>;
/** `isOpen`: whoever tells it cannot send the agent. */
export const toldWantedSchema = wantedRoomSchema.extend({ isOpen: z.boolean() });

export const nameOf = ({ profile, ownerId }: RoomAgent): AgentName =>
  ownerId === null ? null : { agentId: profile.id, ownerId };
