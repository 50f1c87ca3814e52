import { workerData } from 'node:worker_threads';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import { openBackend } from './backend.ts';
import { createSessionTurns } from './session-turns.ts';
import { query, recode } from './wire-messages.ts';

/** The thread of the embedded PostgreSQL. Serves one existing data directory. */
export type PostgresMethods = {
  /**
   * Resolves once the backend accepts queries; crash recovery is then complete. @param args as in `readOnly`
   */
  open(args: { readOnly: boolean }): Promise<void>;
  run(args: { session: number; exchange: Uint8Array }): Promise<Transfer<Uint8Array>>;
  closeSession(args: { session: number }): Promise<void>;
  /** Whether transactions that begin from now on may write. Refused writes are reported as a full disk. */
  readOnly(args: { on: boolean }): Promise<void>;
  statistics(args: null): Promise<{ fsyncs: number }>;
  /** Writes a checkpoint and closes the files. */
  close(args: null): Promise<void>;
};
export type PostgresEvent = { sessionExpired: number } | { broken: string };

/** Start data of the thread. */
export interface PostgresData {
  directory: string;
  idleInTransactionMs: number;
}

/** Not a driver's: those count from 1. */
const OWN_SESSION = 0;
/**
 * PostgreSQL's codes: write in a read-only transaction, and full disk, which is the reason for being
 * read-only.
 */
const READ_ONLY = '25006';
const DISK_FULL = '53100';

const { directory, idleInTransactionMs }: PostgresData = workerData;

const opened = openBackend(directory, (reason) => {
  tell({ broken: reason } satisfies PostgresEvent);
  process.exit(1);
}).then((backend) => ({
  backend,
  turns: createSessionTurns(backend, {
    idleInTransactionMs,
    onExpired: (session) => tell({ sessionExpired: session } satisfies PostgresEvent),
  }),
}));
// Every method awaits it and rejects with its failure.
opened.catch(() => {});
let hasRefusedWrites = false;

async function readOnly({ on }: { on: boolean }): Promise<void> {
  hasRefusedWrites ||= on;
  const { turns } = await opened;
  await turns.run(OWN_SESSION, query(`SET default_transaction_read_only = ${on ? 'on' : 'off'}`));
}

const tell = serveWorkerThread({
  async open({ readOnly: on }) {
    await opened;
    if (on) await readOnly({ on });
  },
  async run({ session, exchange }) {
    const { turns } = await opened;
    const answer = await turns.run(session, exchange);
    if (hasRefusedWrites) recode(answer, READ_ONLY, DISK_FULL);
    return new Transfer(answer, [answer.buffer as ArrayBuffer]);
  },
  async closeSession({ session }) {
    (await opened).turns.close(session);
  },
  readOnly,
  async statistics() {
    return { fsyncs: (await opened).backend.fsyncs() };
  },
  async close() {
    await (await opened).backend.close();
  },
} satisfies PostgresMethods);
