import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { z } from 'zod';
import { serveWorkerThread, Transfer } from '#server/worker-thread';
import { DurableFiles } from './durable-files.ts';
import { createSessionTurns } from './session-turns.ts';
import { startParameters } from './start-parameters.ts';
import { query } from './wire-messages.ts';

/** The thread that holds the embedded PostgreSQL. It serves one data directory, which must exist. */
export type PostgresMethods = {
  /** Resolves once the backend takes queries; recovery after a crash is then done. */
  open(args: null): Promise<void>;
  run(args: { session: number; exchange: Uint8Array }): Promise<Transfer<Uint8Array>>;
  closeSession(args: { session: number }): void;
  statistics(args: null): { fsyncs: number };
  /** Writes a checkpoint and closes the files. */
  close(args: null): Promise<void>;
};
export type PostgresEvent = { sessionExpired: number };

const { directory, idleInTransactionMs } = z
  .object({ directory: z.string(), idleInTransactionMs: z.number() })
  .parse(workerData);

let fsyncs = 0;
const backend = start();
// Every method awaits it and answers with its failure.
backend.catch(() => {});

async function start() {
  const database = await PGlite.create({
    fs: new DurableFiles(directory, {
      onSync: () => {
        fsyncs++;
      },
      // Ends this thread in the middle of the commit, which is then not acknowledged; a new one recovers from the disk.
      onSyncFailed: () => process.exit(1),
    }),
    startParams: startParameters(PGlite.defaultStartParams),
  });
  let answer: Uint8Array[] = [];
  const onRawData = (bytes: Uint8Array) => {
    answer.push(bytes.slice());
  };
  // Sets the receiver of raw answers once; the synchronous calls below then use it.
  await database.execProtocolRawStream(query("SET client_encoding TO 'UTF8'"), {
    syncToFs: false,
    onRawData,
  });
  const execute = (exchange: Uint8Array): Uint8Array => {
    answer = [];
    database.execProtocolRawSync(exchange);
    const [first, ...rest] = answer;
    return first && rest.length === 0 ? first : new Uint8Array(Buffer.concat(answer));
  };
  const turns = createSessionTurns(
    {
      execute,
      inTransaction: () => database.isInTransaction(),
      rollback: () => execute(query('ROLLBACK')),
    },
    {
      idleInTransactionMs,
      onExpired: (session) => tell({ sessionExpired: session } satisfies PostgresEvent),
    },
  );
  return { database, execute, turns };
}

const tell = serveWorkerThread({
  async open() {
    await backend;
  },
  async run({ session, exchange }) {
    const { turns } = await backend;
    const answer = await turns.run(session, exchange);
    return new Transfer(answer, [answer.buffer as ArrayBuffer]);
  },
  async closeSession({ session }) {
    (await backend).turns.close(session);
  },
  statistics: () => ({ fsyncs }),
  async close() {
    const { database, execute } = await backend;
    execute(query('CHECKPOINT'));
    await database.close();
  },
} satisfies PostgresMethods);
