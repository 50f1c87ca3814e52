import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeLimit, within } from '#server/lib/wait';
import { startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { PostgresData, PostgresEvent, PostgresMethods } from './postgres.worker.ts';
import { isNoRoom, stoppedBecause } from './stopped.ts';
import { WireSocket } from './wire-socket.ts';

/** The embedded PostgreSQL in its thread, as a target for `pg` connections. */
export interface EmbeddedPostgres {
  /** A socket for a new session, for `pg`'s option `stream`. */
  connect(): Duplex;
  /** Number of fsyncs since the thread started. */
  fsyncs(): Promise<number>;
  /**
   * Starts replacing a thread that answers nothing for a minute. Call it after migrations, which may take
   * long.
   */
  watch(): void;
  /** Whether transactions that begin from now on may write; refused writes are reported as a full disk. */
  setReadOnly(on: boolean): Promise<void>;
  close(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** An existing PostgreSQL data directory that no other process uses. */
  directory: string;
  /** How long a session may keep an idle transaction open, in milliseconds. Default 10,000. */
  idleInTransactionMs?: number;
  /** Delays in milliseconds before a stopped thread is replaced. After the last one it is not. */
  restartDelaysMs?: readonly number[];
  /**
   * Called when a thread stopped because the disk is full; resolves when another attempt is worthwhile. With
   * it, attempts continue until one succeeds; without it, they end as after any other stop.
   * @param attempt number of attempts in a row, from 0
   */
  makeRoom?: (attempt: number, signal: AbortSignal) => Promise<void>;
  /** Called when the thread stopped by itself and another takes over. */
  onRestart?: (reason: string) => void;
  /** Called when replacement failed and only ending the process is left. */
  onGaveUp?: (reason: string) => void;
}

/** How long a query waits for the replacement thread, in milliseconds. */
const PATIENCE_MS = 10_000;
const WATCH_MS = 10_000;
const SILENCE_MS = 60_000;
const RESTART_DELAYS_MS = [0, 1_000, 5_000];
/** After running this long, the next stop counts as the first. */
const GOOD_LIFE_MS = 60_000;

/**
 * Starts the embedded PostgreSQL. A thread that stops by itself is replaced: its sessions end with an error,
 * and the next thread recovers all acknowledged data from disk.
 * @throws when PostgreSQL cannot open the directory
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const delaysMs = options.restartDelaysMs ?? RESTART_DELAYS_MS;
  const sockets = new Map<number, WireSocket>();
  const closing = new AbortController();
  let nextSession = 1;
  let restarts = 0;
  let isReadOnly = false;
  let watchdog: NodeJS.Timeout | undefined;

  interface Running {
    thread: WorkerThread<PostgresMethods>;
    since: number;
    /** Why it stopped, if known. */
    reason: string | null;
  }
  // Failures before the first thread has opened are the caller's.
  let opened = false;
  let running = await start();
  /** Set while a stopped thread is being replaced. Never rejects. */
  let replacing: Promise<void> | null = null;
  opened = true;

  function start(): Promise<Running> {
    const thread = startWorkerThread<PostgresMethods>(import.meta.url, './postgres.worker', {
      // Migrations may compute for long, so `watch` starts the watching after them.
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
        if (opened && !closing.signal.aborted && started === running)
          replacing = replace(started).finally(() => {
            replacing = null;
          });
      },
    });
    const started: Running = { thread, since: Date.now(), reason: null };
    return thread.call('open', { readOnly: isReadOnly }).then(
      () => started,
      async (error: unknown) => {
        await thread.terminate();
        // A stopped thread has reported its reason; one that could not open has rejected `open`.
        throw started.reason === null ? error : new Error(started.reason, { cause: error });
      },
    );
  }

  /** Ends the sessions of a stopped thread and starts another. */
  async function replace(stopped: Running): Promise<void> {
    for (const socket of sockets.values()) socket.destroy(stoppedBecause(stopped.reason));
    if (Date.now() - stopped.since > GOOD_LIFE_MS) restarts = 0;
    let fullDisks = 0;
    for (let reason = stopped.reason ?? 'it stopped'; !closing.signal.aborted; ) {
      if (options.makeRoom && isNoRoom(reason)) {
        if (fullDisks === 0) options.onRestart?.(reason);
        await options.makeRoom(fullDisks++, closing.signal).catch(() => {});
      } else {
        const delayMs = delaysMs[restarts++];
        if (delayMs === undefined) return options.onGaveUp?.(reason);
        options.onRestart?.(reason);
        await sleep(delayMs, undefined, { ref: false });
      }
      if (closing.signal.aborted) return;
      try {
        running = await start();
        return;
      } catch (error) {
        reason = messageOf(error);
        // Waiting sessions get the newest reason.
        running.reason = reason;
      }
    }
  }

  /** The running thread, or its replacement within a short wait. @throws the reason if there is none */
  async function serving(): Promise<Running> {
    if (replacing) await within(PATIENCE_MS, replacing);
    if (replacing) throw stoppedBecause(running.reason);
    return running;
  }

  return {
    connect() {
      const session = nextSession++;
      // A session's transaction and prepared statements exist in one thread only.
      let mine: Running | undefined;
      const socket = new WireSocket({
        run: async (exchange) => {
          mine ??= await serving();
          const { thread } = mine;
          try {
            return await thread.call('run', { session, exchange });
          } catch (error) {
            throw stoppedBecause(mine.reason, error);
          }
        },
        close: () => {
          sockets.delete(session);
          // A stopped thread needs no notice.
          mine?.thread.call('closeSession', { session }).catch(() => {});
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
        const silence = timeLimit(SILENCE_MS);
        await thread.call('statistics', null, silence).catch(() => {
          if (silence.aborted && thread === running.thread) void thread.terminate();
        });
      }, WATCH_MS);
      watchdog.unref();
    },
    async setReadOnly(on) {
      isReadOnly = on;
      // A thread that is just starting gets the state from `start`.
      if (!replacing) await running.thread.call('readOnly', { on }).catch(() => {});
    },
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      clearInterval(watchdog);
      await replacing;
      try {
        await running.thread.call('close', null);
      } catch (error) {
        // On a full disk the last checkpoint fails: the next start recovers, as after a kill.
        if (!isNoRoom(running.reason)) throw error;
      } finally {
        await running.thread.terminate();
      }
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
