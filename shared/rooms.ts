import { z } from 'zod';
import { refusal, sentenceOf } from './refusals/refusal.ts';

/** Characters of a room's name after trimming; an emoji counts as one. */
const MAX_ROOM_NAME_CHARACTERS = 128;
export const TEST_ROOM_NAME = 'test-room';

const nameMissing = sentenceOf('rooms.name-missing');
const nameTooLong = sentenceOf(refusal('rooms.name-too-long', { max: MAX_ROOM_NAME_CHARACTERS }));

/**
 * The visible form of a room's name. Names that look alike are one room: case, composition, width and other forms of
 * the same letter, kinds of blanks, and invisible characters do not count. Letters of different alphabets stay
 * different. Empty if nothing is visible.
 */
export function lookOf(name: string): string {
  const seen = name
    .normalize('NFKC')
    // The empty pattern of Braille is a blank.
    .replaceAll(/[\s\u2800]+/gu, ' ')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    // Some capitals correspond to two small letters: ß and ss, ı and i.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC');
  return seen.replaceAll(/ +/g, ' ').trim();
}

/** Any characters make a name, as long as one is visible. Its visible form decides which room it names. */
export const roomNameSchema = z
  .string(nameMissing)
  .transform((name) => name.trim().normalize('NFC'))
  .refine((name) => lookOf(name).length > 0, nameMissing)
  .refine((name) => [...name].length <= MAX_ROOM_NAME_CHARACTERS, nameTooLong)
  .refine((name) => !/[\p{Surrogate}\0]/u.test(name), sentenceOf('rooms.name-broken'));

/** Body of POST /api/livekit/create-room and /api/livekit/join-room. */
export const roomRequestSchema = z.object({
  roomName: roomNameSchema,
  /** The client's name for the user. Others see the name of the account. */
  participantName: z.string().max(1_000),
  /** The signed-in user's `_id`: nobody joins as another user. */
  participantIdentity: z.string().max(1_000),
  /** One of the user's agents for a new room; ignored if the room exists. */
  agentId: z.string().min(1).max(100).optional(),
  /** The secret of an invitation, for a room that is not open to everybody. */
  invite: z.string().max(200).optional(),
});
export type RoomRequest = z.infer<typeof roomRequestSchema>;

export const createdRoomSchema = z.object({ roomName: z.string(), wsUrl: z.string() });
export type CreatedRoom = z.infer<typeof createdRoomSchema>;

/** Servers that tell a browser its public address; empty: none. Absent: the defaults. */
const stunServers = z.array(z.string()).optional();

export const joinedRoomSchema = z.object({
  /** Admits this one participant to this one room, for ten minutes. */
  participantToken: z.string(),
  wsUrl: z.string(),
  roomName: z.string(),
  /** The requester owns the room. */
  isOwner: z.literal(true).optional(),
  stunServers,
});
export type JoinedRoom = z.infer<typeof joinedRoomSchema>;

export const testRoomSchema = z.object({
  token: z.string(),
  wsUrl: z.string(),
  name: z.literal(TEST_ROOM_NAME),
  stunServers,
});
export type TestRoom = z.infer<typeof testRoomSchema>;

/** `members`: every account may join by the room's name; `invited`: only people with a link from its owner. */
const roomAccessSchema = z.enum(['members', 'invited']);
export type RoomAccess = z.infer<typeof roomAccessSchema>;

/** Body of PUT /api/livekit/rooms/{roomName}: missing fields keep their values. */
export const roomChangeSchema = z.object({
  access: roomAccessSchema.optional(),
  /** Only the owner may enter, even if others hold earlier keys. Present participants stay. */
  locked: z.boolean().optional(),
  /** People wait in a lobby until the owner admits them. */
  lobby: z.boolean().optional(),
  /** The agent keeps answering from its owner's information while they are away. */
  agentStays: z.boolean().optional(),
});
export type RoomChange = z.infer<typeof roomChangeSchema>;

/** A room as its owner sees it. */
export const ownRoomSchema = z.object({
  roomName: z.string(),
  access: roomAccessSchema,
  locked: z.boolean(),
  lobby: z.boolean(),
  agentStays: z.boolean(),
  /** People now waiting in the lobby, by identity. */
  waiting: z.array(z.object({ identity: z.string(), name: z.string() })),
});
export type OwnRoom = z.infer<typeof ownRoomSchema>;

export const roomInviteSchema = z.object({
  /** The secret. It is shown only once: the server stores only its hash. */
  invite: z.string(),
  /** The address that opens the room with it. */
  url: z.string(),
  expiresAt: z.iso.datetime(),
});
export type RoomInvite = z.infer<typeof roomInviteSchema>;

/** How the participant came in, sealed for the server alone. */
const door = z.string().optional();
/**
 * `metadata` of every participant, as JSON. The agent also has LiveKit's participant kind AGENT; its identity begins
 * with `agent-`, a customer's is the user's `_id`.
 */
export const roomMemberSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('customer'), door }),
  z.object({ role: z.literal('agent'), company: z.string(), door }),
]);
type RoomMember = z.infer<typeof roomMemberSchema>;
export type CustomerMember = Extract<RoomMember, { role: 'customer' }>;
export type AgentMember = Extract<RoomMember, { role: 'agent' }>;

/** Name of the one audio track the agent publishes (source: microphone). */
export const AGENT_TRACK_NAME = 'agent';

/** The agent's state, as its participant attribute of LiveKit's name. */
export const AGENT_STATE_ATTRIBUTE = 'lk.agent.state';
const agentStates = ['initializing', 'listening', 'thinking', 'speaking'] as const;
export const agentStateSchema = z.enum(agentStates);
export type AgentState = z.infer<typeof agentStateSchema>;

/**
 * Attribute of the agent: one sentence for everybody in the room, such as that its ears are still loading. Empty or
 * missing: no problem.
 */
export const AGENT_NOTICE_ATTRIBUTE = 'sigma.notice';

/**
 * Captions, as LiveKit's text streams of this topic. A stream from another participant's identity is the agent's
 * transcript of that participant. The agent's words come as one stream per reply, chunk by chunk, as they are played; a
 * participant's words come as a new whole text in every stream of the same segment. The last stream of a segment has
 * FINAL `true`; an empty final text removes the segment (a noise).
 */
export const TRANSCRIPTION_TOPIC = 'lk.transcription';
export const TRANSCRIPTION_SEGMENT_ATTRIBUTE = 'lk.segment_id';
export const TRANSCRIPTION_FINAL_ATTRIBUTE = 'lk.transcription_final';
export const TRANSCRIPTION_TRACK_ATTRIBUTE = 'lk.transcribed_track_id';

/** Data packets of this topic go from the agent to one participant: the link to their record of the call. */
export const ROOM_CONVERSATION_TOPIC = 'sigma.conversation';
export const roomConversationSchema = z.object({ conversationId: z.string() });
