import { roomToken } from '#server/engines/rooms/access';
import type { MayEnter, RoomEvent, RoomsEngine } from '#server/engines/rooms/contract';
import { keptKeys, type RoomKeys } from '#server/engines/rooms/keys';
import { RoomListeners } from '#server/engines/rooms/listeners';
import { EngineError } from '#server/lib/engine-error';
import { timeLimit, untilAborted } from '#server/lib/wait';
import type { Logger } from '#server/telemetry/logger';
import { startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import { passThrough } from './http-passthrough.ts';
import type { RoomMethods, WorkerEvent } from './rooms.worker.ts';

export interface EmbeddedRoomsOptions {
  /** Folder for its own keys. */
  dataDir: string;
  /** null: its own keys. */
  keys: RoomKeys | null;
  /** Range of UDP ports, inclusive; null: any. */
  ports: { min: number; max: number } | null;
  /** This machine's public address, if a router or cloud translates it. */
  externalAddress: string | null;
  /** Addresses to listen on for media; default: this machine's own. */
  addresses?: readonly string[];
  logger: Pick<Logger, 'warn' | 'error'>;
  /**
   * A thread without a sign of life for this many milliseconds counts as hung; detection takes up to half as
   * long again. Default 8 s.
   */
  hangMs?: number;
  /** Delays the start of the thread until it resolves; default: no delay. */
  begin?: Promise<void> | undefined;
}

/** Delays before a stopped thread is restarted, in milliseconds, longer with each repeated stop. */
const RESTART_MS = [200, 1_000, 5_000, 15_000];
/** After this long without a stop, delays begin at the first again. */
const STABLE_MS = 60_000;
/** A hundred times the longest work of a healthy thread; clients give up on a silent server after 15 s. */
const HANG_MS = 8_000;
/** Time to tell all participants to reconnect and to close their sockets. */
const STOP_MS = 4_000;

/**
 * The embedded room server: a worker thread that speaks LiveKit's protocol, behind the product's own port.
 */
export function createEmbeddedRooms(options: EmbeddedRoomsOptions): RoomsEngine {
  const { logger, hangMs = HANG_MS } = options;
  const listeners = new RoomListeners();
  const open = new Map<string, string>();
  let thread: WorkerThread<RoomMethods> | null = null;
  let keys: RoomKeys | null = options.keys;
  let mayEnter: MayEnter = async () => true;
  let port: number | null = null;
  let failure: string | null = null;
  let isRunning = false;
  const closing = new AbortController();
  let restarts = 0;
  let runningSince = 0;
  let restarting: NodeJS.Timeout | null = null;

  const hear = (event: WorkerEvent) => {
    if (event.kind === 'failure') {
      logger.error({ err: event.error }, 'unexpected error in the room server');
      return;
    }
    if (event.kind === 'arrival') {
      void letIn(event);
      return;
    }
    const { room, roomSid, type } = event.event;
    if (type === 'room_started') open.set(roomSid, room);
    else if (type === 'room_finished') open.delete(roomSid);
    listeners.tell(event.event);
  };

  const letIn = async ({ id, room, participant }: Extract<WorkerEvent, { kind: 'arrival' }>) => {
    const asked = thread;
    let isWelcome: boolean | null = null;
    try {
      isWelcome = await mayEnter(room, participant);
    } catch (error) {
      logger.error({ err: error }, 'whether a participant may enter could not be checked');
    }
    // A thread that stopped meanwhile does not need the answer.
    await asked?.call('letIn', { id, isWelcome }).catch(() => {});
  };

  /** Reports the rooms of a crashed thread as ended; nothing else does. */
  const finishRooms = () => {
    for (const [roomSid, room] of open)
      listeners.tell({ type: 'room_finished', room, roomSid } satisfies RoomEvent);
    open.clear();
  };

  const start = async (): Promise<void> => {
    keys ??= await keptKeys(options.dataDir);
    if (closing.signal.aborted) return;
    const started = startWorkerThread<RoomMethods>(import.meta.url, './rooms.worker', {
      hangMs,
      onEvent: (event) => hear(event as WorkerEvent),
      onExit: (error) => {
        if (thread !== started) return;
        thread = null;
        if (isRunning && Date.now() - runningSince > STABLE_MS) restarts = 0;
        isRunning = false;
        finishRooms();
        if (closing.signal.aborted) return;
        logger.error({ err: error }, 'the room server stopped');
        restart();
      },
    });
    thread = started;
    const { ports, externalAddress, addresses } = options;
    const running = await started.call('start', {
      keys,
      port,
      ports,
      externalAddress,
      ...(addresses ? { addresses } : {}),
    });
    port = running.port;
    isRunning = true;
    runningSince = Date.now();
    failure = null;
  };

  const begin = () =>
    start().catch(async (error: unknown) => {
      failure = error instanceof Error ? error.message : String(error);
      logger.error({ err: error }, 'the room server could not start');
      const broken = thread;
      thread = null;
      await broken?.terminate();
      if (!closing.signal.aborted) restart();
    });

  const restart = () => {
    const after = RESTART_MS[Math.min(restarts++, RESTART_MS.length - 1)];
    restarting = setTimeout(() => void begin(), after).unref();
  };

  const ready = untilAborted(options.begin ?? Promise.resolve(), closing.signal).then(begin, () => {});

  const ask: WorkerThread<RoomMethods>['call'] = async (method, args) => {
    if (!thread || !isRunning)
      throw new EngineError('Voice rooms are not ready yet. Please try again in a moment.', {
        retryable: !closing.signal.aborted,
      });
    try {
      return await thread.call(method, args);
    } catch (error) {
      throw new EngineError('The room server could not do that. Please try again in a moment.', {
        retryable: true,
        cause: error,
      });
    }
  };

  return {
    name: 'Embedded room server',
    kind: 'embedded',
    ready,
    status() {
      if (isRunning) return { state: 'ready', message: 'Voice rooms are ready.' };
      if (failure === null) return { state: 'loading', message: 'Voice rooms are starting.' };
      return { state: 'failed', message: `Voice rooms cannot start: ${failure}` };
    },
    wsUrl: ({ host, secure }) => `${secure ? 'wss' : 'ws'}://${host}`,
    get internalUrl() {
      return `ws://127.0.0.1:${port ?? 0}`;
    },
    async token(grant) {
      keys ??= await keptKeys(options.dataDir);
      return roomToken(keys, grant);
    },
    createRoom: (name, room = {}) => ask('createRoom', { name, options: room }),
    listParticipants: (room) => ask('listParticipants', { room }),
    removeParticipant: (room, identity) => ask('removeParticipant', { room, identity }),
    muteTrack: (room, identity, trackSid, muted) => ask('muteTrack', { room, identity, trackSid, muted }),
    deleteRoom: (name) => ask('deleteRoom', { name }),
    askAtTheDoor(asked) {
      mayEnter = asked;
    },
    onEvent: (listener) => listeners.add(listener),
    attach: (server, isAllowedOrigin, headers) =>
      passThrough(server, () => (isRunning ? port : null), isAllowedOrigin, headers),
    async close() {
      closing.abort();
      if (restarting) clearTimeout(restarting);
      await ready;
      if (thread && isRunning) {
        const late = timeLimit(STOP_MS);
        await thread.call('stop', undefined, late).catch((error: unknown) => {
          logger.warn({ err: error }, 'the room server did not close in time');
        });
      }
      await thread?.terminate();
      listeners.clear();
    },
  };
}
