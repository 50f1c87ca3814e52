import type { Duplex } from 'node:stream';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { PostgresEvent, PostgresMethods } from './postgres.worker.ts';
import { WireSocket } from './wire-socket.ts';

/** The embedded PostgreSQL in its thread, as `pg` sees it: something to connect to. */
export interface EmbeddedPostgres {
  /** A new session's socket, for `pg`'s option `stream`. */
  connect(): Duplex;
  /** How many times the disk was waited for since the thread started. */
  fsyncs(): Promise<number>;
  /** Starts to replace a thread that answers nothing for a minute. Not before the migrations: those may take long. */
  watch(): void;
  close(): Promise<void>;
}

interface Options {
  /** An existing PostgreSQL data directory that no other process uses. */
  directory: string;
  /** How long a session may keep an open transaction without asking anything. The default is 10,000 ms. */
  idleInTransactionMs?: number;
  /** Told when the thread stopped by itself and a new one takes over. */
  onRestart?: (cause: unknown) => void;
  /** Told when new threads stop as well, so that only an end of the process is left. */
  onGaveUp?: (cause: unknown) => void;
}

const WATCH_MS = 10_000;
const SILENCE_MS = 60_000;
const RESTARTS = 3;
const RESTARTS_WITHIN_MS = 60_000;

/**
 * Starts the embedded PostgreSQL.
 * A thread that stops by itself is replaced: its sessions end with an error, what was acknowledged is on the disk and
 * recovered by the next one.
 * @throws when the backend cannot open the directory
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  let closing = false;
  let nextSession = 1;
  let watchdog: NodeJS.Timeout | undefined;
  const sockets = new Map<number, WireSocket>();
  let restarts: number[] = [];
  let opened = false;
  let thread = start();
  await thread.call('open', null);
  opened = true;

  function start(): WorkerThread<PostgresMethods> {
    const started = startWorkerThread<PostgresMethods>(import.meta.url, './postgres.worker', {
      workerData: {
        directory: options.directory,
        idleInTransactionMs: options.idleInTransactionMs ?? 10_000,
      },
      onEvent: (event) => {
        const { sessionExpired } = event as PostgresEvent;
        sockets.get(sessionExpired)?.destroy(new Error('The transaction was idle for too long.'));
      },
      onExit: (cause) => onExit(cause),
    });
    return started;
  }

  function onExit(cause: unknown): void {
    for (const socket of sockets.values()) socket.destroy(new Error('The embedded database stopped.'));
    if (closing || !opened) return;
    const now = Date.now();
    restarts = [...restarts.filter((at) => now - at < RESTARTS_WITHIN_MS), now];
    if (restarts.length > RESTARTS) {
      closing = true;
      clearInterval(watchdog);
      options.onGaveUp?.(cause);
      return;
    }
    options.onRestart?.(cause);
    thread = start();
  }

  return {
    connect() {
      const session = nextSession++;
      const serving = thread;
      const socket = new WireSocket({
        run: (exchange) => serving.call('run', { session, exchange }),
        close: () => {
          sockets.delete(session);
          // A thread that has stopped has forgotten the session by itself.
          serving.call('closeSession', { session }).catch(() => {});
        },
      });
      sockets.set(session, socket);
      return socket;
    },
    async fsyncs() {
      return (await thread.call('statistics', null)).fsyncs;
    },
    watch() {
      watchdog = setInterval(async () => {
        const watched = thread;
        const silence = AbortSignal.timeout(SILENCE_MS);
        await watched.call('statistics', null, silence).catch(() => {
          if (silence.aborted && !closing && watched === thread) void watched.terminate();
        });
      }, WATCH_MS);
      watchdog.unref();
    },
    async close() {
      if (closing) return;
      closing = true;
      clearInterval(watchdog);
      try {
        await thread.call('close', null);
      } finally {
        await thread.terminate();
      }
    },
  };
}
