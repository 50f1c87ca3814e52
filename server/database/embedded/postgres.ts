import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { PostgresData, PostgresEvent, PostgresMethods } from './postgres.worker.ts';
import { WireSocket } from './wire-socket.ts';

/** The embedded PostgreSQL in its thread, as `pg` sees it: something to connect to. */
export interface EmbeddedPostgres {
  /** A new session's socket, for `pg`'s option `stream`. */
  connect(): Duplex;
  /** How many times the disk was waited for since the thread started. */
  fsyncs(): Promise<number>;
  /** Replaces a thread that answers nothing for a minute. Not before the migrations: those may take long. */
  watch(): void;
  close(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** An existing PostgreSQL data directory that no other process uses. */
  directory: string;
  /** How long a session may keep an open transaction without asking anything. The default is 10,000 ms. */
  idleInTransactionMs?: number;
  /** Waits before a thread that stopped is replaced. After the last one it is not. */
  restartDelaysMs?: readonly number[];
  /** Told when the thread stopped by itself and another takes over. */
  onRestart?: (reason: string) => void;
  /** Told when that did not help, so that only the end of the process is left. */
  onGaveUp?: (reason: string) => void;
}

const STOPPED = 'The embedded database stopped.';
const WATCH_MS = 10_000;
const SILENCE_MS = 60_000;
const RESTART_DELAYS_MS = [0, 1_000, 5_000];
/** A thread that lived this long was a good one: the next stop starts counting anew. */
const GOOD_LIFE_MS = 60_000;

/**
 * Starts the embedded PostgreSQL.
 * A thread that stops by itself is replaced: its sessions end with an error, and the next one recovers from the disk
 * what was acknowledged.
 * @throws when PostgreSQL cannot open the directory
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const delaysMs = options.restartDelaysMs ?? RESTART_DELAYS_MS;
  const sockets = new Map<number, WireSocket>();
  let nextSession = 1;
  let closing = false;
  let restarts = 0;
  let watchdog: NodeJS.Timeout | undefined;

  interface Running {
    thread: WorkerThread<PostgresMethods>;
    since: number;
    reason: string;
  }
  // Before the first thread is open, its failure is the caller's.
  let opened = false;
  let running = await start();
  opened = true;

  function start(): Promise<Running> {
    const thread = startWorkerThread<PostgresMethods>(import.meta.url, './postgres.worker', {
      // A migration may compute for long: watched by `watch`, once those are done.
      hangMs: null,
      workerData: {
        directory: options.directory,
        idleInTransactionMs: options.idleInTransactionMs ?? 10_000,
      } satisfies PostgresData,
      onEvent: (value) => {
        const event = value as PostgresEvent;
        if ('broken' in event) started.reason = event.broken;
        else sockets.get(event.sessionExpired)?.destroy(new Error('The transaction was idle for too long.'));
      },
      onExit: (error) => {
        if (error) started.reason = error.message;
        void replace(started);
      },
    });
    const started: Running = { thread, since: Date.now(), reason: 'it stopped' };
    return thread.call('open', null).then(
      () => started,
      async (error: unknown) => {
        await thread.terminate();
        throw error;
      },
    );
  }

  /** Ends the sessions of a thread that stopped and starts another, unless it never opened or is meant to end. */
  async function replace(stopped: Running): Promise<void> {
    if (!opened || closing || stopped !== running) return;
    for (const socket of sockets.values()) socket.destroy(new Error(STOPPED));
    if (Date.now() - stopped.since > GOOD_LIFE_MS) restarts = 0;
    for (let { reason } = stopped; !closing; ) {
      const delayMs = delaysMs[restarts++];
      if (delayMs === undefined) return options.onGaveUp?.(reason);
      options.onRestart?.(reason);
      await sleep(delayMs, undefined, { ref: false });
      try {
        running = await start();
        return;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }

  return {
    connect() {
      const session = nextSession++;
      const { thread } = running;
      const socket = new WireSocket({
        run: (exchange) =>
          thread.call('run', { session, exchange }).catch((error: unknown) => {
            throw new Error(STOPPED, { cause: error });
          }),
        close: () => {
          sockets.delete(session);
          // A thread that has stopped has forgotten the session by itself.
          thread.call('closeSession', { session }).catch(() => {});
        },
      });
      sockets.set(session, socket);
      return socket;
    },
    async fsyncs() {
      return (await running.thread.call('statistics', null)).fsyncs;
    },
    watch() {
      watchdog = setInterval(async () => {
        const { thread } = running;
        const silence = AbortSignal.timeout(SILENCE_MS);
        await thread.call('statistics', null, silence).catch(() => {
          if (silence.aborted && thread === running.thread) void thread.terminate();
        });
      }, WATCH_MS);
      watchdog.unref();
    },
    async close() {
      if (closing) return;
      closing = true;
      clearInterval(watchdog);
      try {
        await running.thread.call('close', null);
      } finally {
        await running.thread.terminate();
      }
    },
  };
}
