import type { Seat } from '#server/engines/shared-state/contract';
import type { RoomAgent } from './call-record.ts';
import type { RoomCall } from './room-call.ts';
import { type HeldRoom, nameOf } from './sharing/wire.ts';

/** One room with an agent of this process in it, or on its way there. */
export interface Post {
  call: RoomCall;
  agent: RoomAgent;
  /** The user for whom the agent was sent; null: for people who were there already. */
  holder: string | null;
  since: number;
  /** Admitted users, and until when they may be on their way. */
  expected: Map<string, number>;
  leave: AbortController;
  /** How often in a row the room was lost or unreachable. */
  failures: number;
  /** The claim that makes the room this instance's; null if no other instance has these rooms. */
  claim: Seat | null;
}

/** The report of a post to other instances. */
export const toldOf = (roomName: string, post: Post): HeldRoom => ({
  roomName,
  agent: nameOf(post.agent),
  holder: post.holder,
  people: [...post.call.people],
  expected: expectedAt(post),
});

/** Admitted users on their way. */
export function expectedAt({ call, expected }: Post): string[] {
  const now = Date.now();
  return [...expected].flatMap(([identity, until]) =>
    until > now && !call.hasSeen(identity) ? [identity] : [],
  );
}
