import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { timeLimit, within } from '#server/lib/wait';
import { startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { PostgresData, PostgresEvent, PostgresMethods } from './postgres.worker.ts';
import { isNoRoom, stoppedBecause } from './stopped.ts';
import { WireSocket } from './wire-socket.ts';

/** The embedded PostgreSQL in its thread, as `pg` sees it: something to connect to. */
export interface EmbeddedPostgres {
  /** A new session's socket, for `pg`'s option `stream`. */
  connect(): Duplex;
  /** How many times the disk was waited for since the thread started. */
  fsyncs(): Promise<number>;
  /** Replaces a thread that answers nothing for a minute. Not before the migrations: those may take long. */
  watch(): void;
  /** Whether transactions that begin from now on may write; what they are refused for then is told as a full disk. */
  setReadOnly(on: boolean): Promise<void>;
  close(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** An existing PostgreSQL data directory that no other process uses. */
  directory: string;
  /** How long a session may keep an open transaction without asking anything. The default is 10,000 ms. */
  idleInTransactionMs?: number;
  /** Waits before a thread that stopped is replaced. After the last one it is not. */
  restartDelaysMs?: readonly number[];
  /**
   * Asked when a thread stopped because the disk is full: resolves when another try is worth it. Then it is tried until it
   * works; without it, no longer than after any other stop.
   * @param attempt how often it was tried in a row, from 0
   */
  makeRoom?: (attempt: number, signal: AbortSignal) => Promise<void>;
  /** Told when the thread stopped by itself and another takes over. */
  onRestart?: (reason: string) => void;
  /** Told when that did not help, so that only the end of the process is left. */
  onGaveUp?: (reason: string) => void;
}

/** How long a question waits for the thread that takes over. */
const PATIENCE_MS = 10_000;
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
  const closing = new AbortController();
  let nextSession = 1;
  let restarts = 0;
  let isReadOnly = false;
  let watchdog: NodeJS.Timeout | undefined;

  interface Running {
    thread: WorkerThread<PostgresMethods>;
    since: number;
    /** Why it stopped, as far as it said so. */
    reason: string | null;
  }
  // Before the first thread is open, its failure is the caller's.
  let opened = false;
  let running = await start();
  /** While a thread that stopped is replaced. Never rejects. */
  let replacing: Promise<void> | null = null;
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
        // A thread that stopped has said why; one that could not open has answered it.
        throw started.reason === null ? error : new Error(started.reason, { cause: error });
      },
    );
  }

  /** Ends the sessions of a thread that stopped, and starts another. */
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
        // Sessions that wait are told the newest reason.
        running.reason = reason;
      }
    }
  }

  /** The thread that runs, or takes over within a while. @throws the reason why there is none */
  async function serving(): Promise<Running> {
    if (replacing) await within(PATIENCE_MS, replacing);
    if (replacing) throw stoppedBecause(running.reason);
    return running;
  }

  return {
    connect() {
      const session = nextSession++;
      // Its transaction and what it has prepared lie in one thread.
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
          // A thread that has stopped has forgotten the session by itself.
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
      // A thread that takes over, or that has just stopped, is told by whoever starts the next one.
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
        // A full disk takes no last checkpoint: the next start recovers, as after a kill.
        if (!isNoRoom(running.reason)) throw error;
      } finally {
        await running.thread.terminate();
      }
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
