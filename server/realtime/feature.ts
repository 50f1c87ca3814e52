import type { z } from 'zod';
import { type AppError, invalidInput } from '#server/lib/errors';
import type { Member } from '#server/lib/session';
import { isStorable, NOT_STORABLE } from '#server/lib/storable';
import type { ServerToClientEvents } from '#shared/realtime';

type ServerEvent = keyof ServerToClientEvents;
type ServerEventArguments<E extends ServerEvent> = Parameters<ServerToClientEvents[E]>;

/** One signed-in connection: a browser tab. */
export interface RealtimeClient {
  readonly id: string;
  readonly user: Member;
  /** Whether it asked for replies sentence by sentence. */
  readonly streaming: boolean;
  readonly isConnected: boolean;
  /** Sends an event to this client; nothing happens when it has gone. */
  send<E extends ServerEvent>(event: E, ...args: ServerEventArguments<E>): void;
  /** Makes the client hear what is broadcast to a room. The caller has checked that it may. */
  join(room: string): void;
}

/** Reaches every client that has joined a room. */
export interface RealtimeChannel {
  /** @param except ids of clients that must not get it */
  broadcast<E extends ServerEvent>(
    room: string,
    except: readonly string[],
    event: E,
    ...args: ServerEventArguments<E>
  ): void;
}

/** How often one user may send an event, over all their connections. */
export interface EventRate {
  count: number;
  windowMs: number;
}

/** A refusal that the client was told of by an event of its own: it comes with the acknowledgement alone. */
export class AlreadyTold extends Error {
  override readonly name = 'AlreadyTold';
  constructor(refusal: unknown) {
    super('The client was told already.', { cause: refusal });
  }
}

type Acknowledge = (answer: { ok: true } & Record<string, unknown>) => void;

/**
 * The longest packet: a client sends its agentInfo when a call begins, and may with every message: up to 400,000 characters,
 * three bytes each in most scripts.
 */
export const MAX_PACKET_BYTES = 2_000_000;

/** What a packet may be for an event, before anybody parses it. */
export interface PacketBounds {
  bytes: number;
  /** Binary packets that belong to it, such as sound. */
  attachments: number;
}

/** An event that clients may send. `handle` rejects with an AppError for a refusal that the client is told. */
export interface RealtimeEvent {
  readonly perUser: EventRate;
  /** By default room for ids and numbers, and no binary. */
  readonly packet?: PacketBounds;
  /**
   * For an event of a stream, such as sound, which comes many times a second: how much of `perUser` it takes. Such events
   * do not count towards what a connection may send besides, and a refusal that repeats itself is told as an `error`
   * once; the acknowledgement always carries it.
   */
  weigh?(payload: unknown): number;
  handle(client: RealtimeClient, payload: unknown, acknowledge: Acknowledge): Promise<void>;
}

/** The events of one feature. */
export interface RealtimeFeature {
  readonly events: Readonly<Record<string, RealtimeEvent>>;
  /** Called once, before any client comes. */
  attached(channel: RealtimeChannel): void;
  /** Called when a client has gone. */
  left(client: RealtimeClient): void;
}

/** Makes an event whose payload is checked by `schema` before `handle` sees it. */
export function realtimeEvent<S extends z.ZodType>(event: {
  schema: S;
  perUser: EventRate;
  packet?: PacketBounds;
  /** The refusal of a payload that does not fit; by default a sentence that names the wrong field. */
  refusal?: (error: z.ZodError) => AppError;
  handle(client: RealtimeClient, payload: z.infer<S>, acknowledge: Acknowledge): Promise<void>;
}): RealtimeEvent {
  const refusal = event.refusal ?? refuseBadPayload;
  return {
    perUser: event.perUser,
    ...(event.packet ? { packet: event.packet } : {}),
    async handle(client, payload, acknowledge) {
      const parsed = event.schema.safeParse(payload);
      if (!parsed.success) throw refusal(parsed.error);
      // Past the schema: some mend what people write.
      if (!isStorable(parsed.data)) throw invalidInput(NOT_STORABLE);
      await event.handle(client, parsed.data, acknowledge);
    },
  };
}

/** A rule of ours brings its own sentence; everything else is a client's programming error. */
export function refuseBadPayload(error: z.ZodError): AppError {
  const [issue] = error.issues;
  if (issue?.code === 'custom') return invalidInput(issue.message);
  const field = issue?.path.join('.');
  return invalidInput(
    field
      ? `This event cannot be understood: check "${field}".`
      : 'This event needs an object as its payload.',
  );
}
