import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { type DefaultEventsMap, Server, type ServerOptions } from 'socket.io';
import { rateLimited, restarting, unauthenticated } from '#server/lib/errors';
import { type Principal, passOf } from '#server/lib/principal';
import type { LimiterFactory } from '#server/lib/rate-limits';
import { type Metrics, noMetrics } from '#server/telemetry/metrics';
import type { User } from '#shared/accounts';
import { handshakeAuthSchema, type ServerToClientEvents } from '#shared/realtime';
import { MAX_PACKET_BYTES, type RealtimeEvent, type RealtimeFeature } from './feature.ts';
import { Inflow } from './inflow.ts';
import { boundedParser, measurePackets } from './packets.ts';
import { ByteRates, EventRates, Flood, SignInRates } from './rates.ts';
import { toRealtimeError } from './refusal.ts';
import { accountIn, cutOff, type RealtimeSocket, type SocketData, serveClient } from './serve-client.ts';

const MAX_SOCKETS_PER_ACCOUNT = 20;
/** How soon idle clients are released when the server stops. */
const LET_GO_MS = 200;
/** Sessions may also end outside any instance, or unreported: their sockets are closed within this time. */
const RECHECK_TOKENS_MS = 60_000;
/** Longer than it takes from reading a session to putting its socket in a room. */
const SIGNING_IN_MS = 2_000;
const MAX_TOKEN_CHARACTERS = 500;

interface RealtimeOptions {
  httpServer: HttpServer;
  /** The principal of a token; null if invalid or over. */
  authenticate(token: string): Promise<Principal | null>;
  /** The same allow-list as CORS. `host` is the request's Host header. */
  isAllowedOrigin(origin: string, host: string | undefined): boolean;
  /** A connection's address, as counted by limits. */
  addressOf(request: IncomingMessage): string;
  features: readonly RealtimeFeature[];
  /** Counters of the rate limits; null: nothing is counted. */
  limiter: LimiterFactory | null;
  /** Reaches the sockets of other instances; absent for a single instance. */
  adapter?: ServerOptions['adapter'];
  log: Pick<Logger, 'error'>;
  metrics?: Metrics;
  /** Called when a member asked for something forbidden. */
  onForbidden?: (user: User, event: string, address: string) => void;
}

interface Realtime {
  /** Number of authenticated connections. */
  readonly sockets: number;
  /** Disconnects all sockets of an ended session, visit or key on this instance. */
  disconnectSession(sessionId: string): void;
  /** Disconnects clients whose session is over, however it ended. Never rejects. */
  recheckSessions(): Promise<void>;
  /**
   * Accepts no new clients and releases each client once nothing of theirs is pending: they reconnect, to
   * another instance if there is one, and resend what was not acknowledged. A client that stayed would get no
   * answer.
   * @param isBusy whether something of this account's is pending
   */
  letGo(isBusy: (account: string) => boolean): void;
  /** Disconnects everyone in a way that makes them reconnect. The HTTP server stays open. */
  close(): Promise<void>;
}

type RealtimeServer = Server<DefaultEventsMap, ServerToClientEvents, DefaultEventsMap, SocketData>;
/** What the parts of the channel share. */
interface Around {
  io: RealtimeServer;
  options: RealtimeOptions;
  metrics: Metrics;
  inflow: Inflow;
  /** Every event of the features, by name. */
  known: ReadonlyMap<string, RealtimeEvent>;
  /** Null, all three: nothing is counted. */
  rates: EventRates | null;
  signIns: SignInRates | null;
  bytes: ByteRates | null;
}

/**
 * Serves the real-time channel on `/socket.io` of an HTTP server: signs connections in, checks and counts
 * their input, and passes it to the features. Whatever a client sends, the process survives and the client
 * gets one clear `error`.
 */
export function attachRealtime(options: RealtimeOptions): Realtime {
  const { features, limiter, log, metrics = noMetrics } = options;
  const io = openServer(options);
  const around: Around = {
    ...{ io, options, metrics },
    inflow: new Inflow(io, MAX_PACKET_BYTES),
    known: new Map(features.flatMap((feature) => Object.entries(feature.events))),
    rates: limiter && new EventRates(limiter),
    signIns: limiter && new SignInRates(limiter),
    bytes: limiter && new ByteRates(limiter),
  };
  let isClosing = false;
  io.use(async (socket, next) => {
    try {
      if (isClosing) throw restarting();
      await signIn(around, socket);
      next();
    } catch (error) {
      const refusal = toRealtimeError(error);
      metrics.refused('channel', refusal.code);
      if (refusal.code === 'internal') log.error({ err: error }, 'real-time sign-in failed');
      next(Object.assign(new Error(refusal.message), { data: refusal }));
    }
  });
  io.on('connection', (socket) => serveClient(around, socket));
  for (const feature of features)
    feature.attached({
      broadcast: (room, except, event, ...args) => {
        io.to(room)
          .except([...except])
          .emit(event, ...args);
      },
    });

  const recheckSessions = () => recheck(around);
  const rechecking = setInterval(() => void recheckSessions(), RECHECK_TOKENS_MS).unref();
  let lettingGo: NodeJS.Timeout | undefined;
  return {
    get sockets() {
      return io.sockets.sockets.size;
    },
    disconnectSession: (sessionId) => disconnectSession(io, sessionId),
    recheckSessions,
    letGo(isBusy) {
      isClosing = true;
      const look = () => {
        for (const { conn, data } of io.sockets.sockets.values())
          if (!isBusy(accountIn(data.principal))) conn.close();
      };
      // Acknowledgements just made are sent first.
      setImmediate(look);
      lettingGo = setInterval(look, LET_GO_MS).unref();
    },
    async close() {
      isClosing = true;
      clearInterval(lettingGo);
      clearInterval(rechecking);
      await new Promise<void>((resolve) => setImmediate(resolve));
      io.engine.close();
    },
  };
}

function openServer(options: RealtimeOptions): RealtimeServer {
  const { httpServer, adapter } = options;
  const isAllowed = (request: Pick<IncomingMessage, 'headers'>) => {
    const { origin, host } = request.headers;
    return origin === undefined || options.isAllowedOrigin(origin, host);
  };
  return new Server(httpServer, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: MAX_PACKET_BYTES,
    parser: boundedParser,
    connectTimeout: 10_000,
    allowRequest: (request, decide) => decide(null, isAllowed(request)),
    cors: (request, decide) => decide(null, { origin: isAllowed(request) }),
    ...(adapter ? { adapter } : {}),
  });
}

async function signIn(around: Around, socket: RealtimeSocket): Promise<void> {
  const { io, options, signIns } = around;
  await signIns?.knock(options.addressOf(socket.request));
  const auth = handshakeAuthSchema.safeParse(socket.handshake.auth);
  const token = auth.success && auth.data.token.length <= MAX_TOKEN_CHARACTERS ? auth.data.token : null;
  const principal = token === null ? null : await options.authenticate(token);
  if (!principal || token === null) throw unauthenticated();
  const account = accountIn(principal);
  await signIns?.known(account);
  const others = io.sockets.adapter.rooms.get(accountRoom(account))?.size ?? 0;
  if (others >= MAX_SOCKETS_PER_ACCOUNT) throw rateLimited(1000);
  socket.data = { principal, token, streaming: auth.success && auth.data.streaming === true };
  bound(around, socket, { account, address: options.addressOf(socket.request) });
  void socket.join([accountRoom(account), passRoom(passOf(principal))]);
}

/** Counts and limits a socket's input from now on, before it is parsed. */
function bound(around: Around, socket: RealtimeSocket, from: { account: string; address: string }): void {
  const { inflow, bytes, known, metrics } = around;
  inflow.signedIn(
    socket,
    bytes &&
      ((came) =>
        bytes.any(came, from).catch((error) => {
          cutOff(socket, metrics);
          throw error;
        })),
  );
  measurePackets(socket, {
    boundsOf: (event) => known.get(event)?.packet,
    count: bytes && ((came) => bytes.parsed(came, from)),
    onBroken: (reason) => (reason instanceof Flood ? cutOff(socket, metrics) : socket.conn.close()),
  });
}

function disconnectSession(io: RealtimeServer, sessionId: string): void {
  const room = passRoom(sessionId);
  // Every instance is told about the end, and handles its own sockets.
  io.local.to(room).emit('error', toRealtimeError(unauthenticated()));
  io.local.in(room).disconnectSockets(true);
  // A socket that was just signing in was not yet in the room.
  setTimeout(() => io.local.in(room).disconnectSockets(true), SIGNING_IN_MS).unref();
}

async function recheck({ io, options }: Around): Promise<void> {
  const open = new Map(
    [...io.sockets.sockets.values()].map(({ data }) => [data.token, passOf(data.principal)] as const),
  );
  for (const [token, sessionId] of open) {
    try {
      if (!(await options.authenticate(token))) disconnectSession(io, sessionId);
    } catch (error) {
      options.log.error({ err: error }, 'real-time session check failed');
    }
  }
}

const accountRoom = (account: string) => `account:${account}`;
const passRoom = (passId: string) => `pass:${passId}`;
