import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { DefaultEventsMap, Socket } from 'socket.io';
import { AppError } from '#server/lib/errors';
import { type Principal, refuseUnserved, scopeOf } from '#server/lib/principal';
import { accountOf } from '#server/lib/scope';
import type { Metrics } from '#server/telemetry/metrics';
import type { User } from '#shared/accounts';
import type { ServerToClientEvents } from '#shared/realtime';
import { AlreadyTold, type RealtimeClient, type RealtimeEvent, type RealtimeFeature } from './feature.ts';
import { RefusedPacket } from './packets.ts';
import { type EventRates, Flood } from './rates.ts';
import { RepeatedRefusals, toRealtimeError } from './refusal.ts';

export interface SocketData {
  principal: Principal;
  token: string;
  streaming: boolean;
}
export type RealtimeSocket = Socket<DefaultEventsMap, ServerToClientEvents, DefaultEventsMap, SocketData>;

/** What serving a client needs of the channel. */
interface Around {
  options: {
    features: readonly RealtimeFeature[];
    addressOf(request: IncomingMessage): string;
    log: Pick<Logger, 'error'>;
    onForbidden?: (user: User, event: string, address: string) => void;
  };
  metrics: Metrics;
  /** Every event of the features, by name. */
  known: ReadonlyMap<string, RealtimeEvent>;
  /** Null: nothing is counted. */
  rates: EventRates | null;
}

/** Passes the events of an authenticated connection to the features that serve its principal. */
export function serveClient(around: Around, socket: RealtimeSocket): void {
  const { features } = around.options;
  const client = clientOf(socket);
  const refuse = refusing(around, socket, client);
  countEvents(around, socket, refuse);
  for (const feature of features)
    for (const [name, event] of Object.entries(feature.events))
      socket.on(name, (...args: unknown[]) => {
        const acknowledge = acknowledgement(args);
        serve(event, client, args[0], acknowledge).catch((error) => refuse(name, error, args));
      });
  socket.on('disconnect', () => {
    for (const feature of features) feature.left(client);
    // A client that leaves the channel but keeps its connection would not be counted.
    socket.conn.close();
  });
}

async function serve(
  event: RealtimeEvent,
  client: RealtimeClient,
  payload: unknown,
  acknowledge: (answer: unknown) => void,
): Promise<void> {
  refuseUnserved(event.serves, client.principal);
  await event.handle(client, payload, acknowledge);
}

type Refuse = (name: string, error: unknown, args: readonly unknown[]) => void;

/** Reports the refusal of an event to its client, and to the log and counters. */
function refusing(
  { options, known, metrics }: Around,
  socket: RealtimeSocket,
  client: RealtimeClient,
): Refuse {
  const repeated = new RepeatedRefusals();
  return (name, error, args) => {
    const isTold = error instanceof AlreadyTold;
    const refusal = toRealtimeError(isTold ? error.cause : error, args[0]);
    metrics.refused('channel', refusal.code);
    const { principal } = client;
    if (refusal.code === 'forbidden' && known.has(name) && principal.kind === 'member')
      options.onForbidden?.(principal.session.user, name, options.addressOf(socket.request));
    if (refusal.code === 'internal') options.log.error({ err: error }, 'real-time event failed');
    const isNews = !known.get(name)?.weigh || repeated.isNews(name, refusal);
    if (isNews && !isTold) client.send('error', refusal);
    acknowledgement(args)({ ok: false, error: refusal });
  };
}

/** Counts each event before it is handled. */
function countEvents({ rates, known, metrics }: Around, socket: RealtimeSocket, refuse: Refuse): void {
  // Counting is asynchronous and takes different times; the chain keeps the events in order.
  let counted = Promise.resolve();
  const from = { socketId: socket.id, account: accountIn(socket.data.principal) };
  socket.use(([event, ...args], next) => {
    const name = String(event);
    const [payload] = args;
    const isRefused = payload instanceof RefusedPacket;
    if (!rates && !isRefused) return next();
    counted = counted
      .then(async () => {
        await rates?.count(name, isRefused ? undefined : known.get(name), payload, from);
        if (isRefused) throw payload.reason;
      })
      .then(
        () => next(),
        (error) => void (error instanceof Flood ? cutOff(socket, metrics) : refuse(name, error, args)),
      );
  });
}

/** Ends the connection of a client that sends too much, and says so. */
export function cutOff(socket: RealtimeSocket, metrics: Metrics): void {
  const refusal = toRealtimeError(tooMuch());
  metrics.refused('channel', refusal.code);
  socket.emit('error', refusal);
  if (socket.connected) socket.disconnect(true);
  else socket.conn.close();
}

/** The account that limits count for. */
export const accountIn = (principal: Principal): string => accountOf(scopeOf(principal));

function clientOf(socket: RealtimeSocket): RealtimeClient {
  const { principal, streaming } = socket.data;
  return {
    id: socket.id,
    principal,
    streaming,
    get isConnected() {
      return socket.connected;
    },
    send: (event, ...args) => {
      socket.emit(event, ...args);
    },
    join: (room) => {
      // A disconnected socket would stay in the room for ever.
      if (socket.connected) void socket.join(room);
    },
  };
}

/**
 * The acknowledgement that a client asked for, sent at most once; does nothing if the client asked for none.
 */
function acknowledgement(args: readonly unknown[]): (answer: unknown) => void {
  const answer: unknown = args.at(-1);
  return typeof answer === 'function' ? (value) => void answer(value) : () => {};
}

const tooMuch = () => new AppError('rate-limited', 429, 'common.flood');
