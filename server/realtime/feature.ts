import type { z } from 'zod';
import { type AppError, invalidInput } from '#server/lib/errors';
import type { Principal, Serves } from '#server/lib/principal';
import { isStorable } from '#server/lib/storable';
import type { ServerToClientEvents } from '#shared/realtime';
import { refusal, refusalBehind } from '#shared/refusals/refusal';

type ServerEvent = keyof ServerToClientEvents;
type ServerEventArguments<E extends ServerEvent> = Parameters<ServerToClientEvents[E]>;

/** One authenticated connection, e.g. a browser tab. */
export interface RealtimeClient {
  readonly id: string;
  readonly principal: Principal;
  /** Whether it asked for replies sentence by sentence. */
  readonly streaming: boolean;
  readonly isConnected: boolean;
  /** Sends an event to this client; does nothing if it is gone. */
  send<E extends ServerEvent>(event: E, ...args: ServerEventArguments<E>): void;
  /** Subscribes the client to broadcasts to a room. The caller has checked its right to that. */
  join(room: string): void;
}

/** Sends to all clients in a room. */
export interface RealtimeChannel {
  /** @param except ids of clients to skip */
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

/** A refusal already reported by an event of its own: sent only in the acknowledgement. */
export class AlreadyTold extends Error {
  override readonly name = 'AlreadyTold';
  constructor(refusal: unknown) {
    super('The client was told already.', { cause: refusal });
  }
}

type Acknowledge = (answer: { ok: true } & Record<string, unknown>) => void;

/**
 * The longest packet: a client sends its agentInfo when a call begins, and may send it with every message: up
 * to 400,000 characters, three bytes each in most scripts.
 */
export const MAX_PACKET_BYTES = 2_000_000;

/** Limits of an event's packet, checked before parsing. */
export interface PacketBounds {
  bytes: number;
  /** Number of binary attachments, such as sound. */
  attachments: number;
}

/** An event that clients may send. `handle` rejects with an AppError to refuse it with a message. */
export interface RealtimeEvent {
  /** Whom it answers. `handle` hears of nobody else. */
  readonly serves: readonly Serves[];
  readonly perUser: EventRate;
  /** Default: enough for ids and numbers, no binary attachments. */
  readonly packet?: PacketBounds;
  /**
   * For events of a stream, such as sound, many times a second: the share of `perUser` that it takes. Such
   * events do not count towards a connection's other limit, and a repeated refusal is sent as an `error` only
   * once; the acknowledgement always contains it.
   */
  weigh?(payload: unknown): number;
  handle(client: RealtimeClient, payload: unknown, acknowledge: Acknowledge): Promise<void>;
}

/** The events of one feature. */
export interface RealtimeFeature {
  readonly events: Readonly<Record<string, RealtimeEvent>>;
  /** Called once, before any client connects. */
  attached(channel: RealtimeChannel): void;
  /** Called when a client has disconnected. */
  left(client: RealtimeClient): void;
}

/** Defines an event whose payload `schema` validates before `handle` sees it. */
export function realtimeEvent<S extends z.ZodType>(event: {
  serves: readonly Serves[];
  schema: S;
  perUser: EventRate;
  packet?: PacketBounds;
  /** The refusal of an invalid payload; default: a sentence that names the wrong field. */
  refusal?: (error: z.ZodError) => AppError;
  handle(client: RealtimeClient, payload: z.infer<S>, acknowledge: Acknowledge): Promise<void>;
}): RealtimeEvent {
  const refusal = event.refusal ?? refuseBadPayload;
  return {
    serves: event.serves,
    perUser: event.perUser,
    ...(event.packet ? { packet: event.packet } : {}),
    async handle(client, payload, acknowledge) {
      const parsed = event.schema.safeParse(payload);
      if (!parsed.success) throw refusal(parsed.error);
      // After the schema, since some schemas repair text.
      if (!isStorable(parsed.data)) throw invalidInput('common.not-storable');
      await event.handle(client, parsed.data, acknowledge);
    },
  };
}

/** Our own rules bring their sentence; any other failure is a client's programming error. */
export function refuseBadPayload(error: z.ZodError): AppError {
  const [issue] = error.issues;
  const own = issue ? refusalBehind(issue.message) : null;
  if (own) return invalidInput(own);
  const field = issue?.path.join('.');
  return invalidInput(
    field ? refusal('common.event-not-understood', { name: field }) : 'common.event-needs-object',
  );
}
