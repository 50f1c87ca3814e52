import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { DurableFiles } from './durable-files.ts';
import { query } from './wire-messages.ts';

/** PostgreSQL in this thread: takes one exchange, returns its answer, and does nothing else meanwhile. */
interface PostgresBackend {
  execute(exchange: Uint8Array): Uint8Array;
  inTransaction(): boolean;
  rollback(): void;
  fsyncs(): number;
  /** Writes a checkpoint and closes the files. */
  close(): Promise<void>;
}

/**
 * Start parameters: every commit waits for the disk, which PGlite's own `-F` turns off; buffers are small,
 * because the operating system caches the same files. `fdatasync`, PostgreSQL's default on Linux, does
 * nothing in PGlite's file system, so it must be `fsync`.
 */
const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...[
    'wal_sync_method=fsync',
    'shared_buffers=16MB',
    // Keeps two files of write-ahead log of 16 MB each, and up to four after a burst.
    'min_wal_size=32MB',
    'max_wal_size=64MB',
  ].flatMap((setting) => ['-c', setting]),
];

/**
 * Bytes of a WebAssembly function that run before V8 optimises it. By default V8 optimises a good part of
 * PostgreSQL while it opens, most of which never runs again: 0.4 s of a processor and 40 MB. Frequent queries
 * are still optimised, only later. The setting is per process, but a module keeps the value from its
 * creation.
 */
const RARELY_OPTIMISED = 200_000_000;
/** The default of Node.js 20 (newer versions: 13 MB), restored for other modules, such as the MP3 encoder. */
const SOON_OPTIMISED = 1_800_000;
const optimiseAfter = (bytes: number) => setFlagsFromString(`--wasm-tiering-budget=${bytes}`);

/**
 * Exit status by which an SQL error leaves PostgreSQL's main loop. Any other status means that it has
 * stopped.
 */
const SQL_ERROR = 100;

/**
 * Opens a data directory, or initialises an empty one; recovers it if the last process was killed.
 * @param onBroken called when nothing may continue: PostgreSQL stopped in the middle of something (a PANIC)
 * or the disk refused an fsync. It must end the thread; unacknowledged work never happened.
 * @throws when PostgreSQL cannot start, with its last message
 */
export async function openBackend(
  directory: string,
  onBroken: (reason: string) => never,
): Promise<PostgresBackend> {
  let fsyncs = 0;
  let lastWords = '';
  const files = new DurableFiles(directory, {
    onSync: () => {
      fsyncs++;
    },
    onSyncFailed: (error) => onBroken(`the disk did not take a write: ${String(error)}`),
  });
  optimiseAfter(RARELY_OPTIMISED);
  const database = await PGlite.create({
    fs: files,
    startParams: START_PARAMETERS,
    onStderr: (line) => {
      // Only these: other lines may quote statements and people's words.
      lastWords = /\b(?:FATAL|PANIC):\s*(.+)/.exec(line)?.[1] ?? lastWords;
      return true;
    },
  })
    .catch((error: unknown) => {
      throw new Error(lastWords || (error instanceof Error ? error.message : String(error)), {
        cause: error,
      });
    })
    .finally(() => optimiseAfter(SOON_OPTIMISED));

  // PGlite calls the main loop again after any exception. That is right for an SQL error; after a PANIC, such
  // as a full disk under the write-ahead log, it would loop for ever.
  const { _PostgresMainLoopOnce: loopOnce } = database.Module;
  database.Module._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (error) {
      if (error instanceof Object && 'status' in error && error.status === SQL_ERROR) throw error;
      onBroken(lastWords || String(error));
    }
  };

  let answer: Uint8Array[] = [];
  // Sets the receiver of raw answers once; the synchronous calls below then use it.
  await database.execProtocolRawStream(query("SET client_encoding TO 'UTF8'"), {
    syncToFs: false,
    onRawData: (bytes) => {
      answer.push(bytes.slice());
    },
  });
  const execute = (exchange: Uint8Array): Uint8Array => {
    answer = [];
    database.execProtocolRawSync(exchange);
    const [first, ...rest] = answer;
    return first && rest.length === 0 ? first : new Uint8Array(Buffer.concat(answer));
  };
  return {
    execute,
    inTransaction: () => database.isInTransaction(),
    rollback: () => void execute(query('ROLLBACK')),
    fsyncs: () => fsyncs,
    async close() {
      execute(query('CHECKPOINT'));
      await database.close();
    },
  };
}
