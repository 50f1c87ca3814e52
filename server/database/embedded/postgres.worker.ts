import { workerData } from 'node:worker_threads';
import { serveWorkerThread, Transfer } from '#server/worker-thread';
import { openBackend } from './backend.ts';
import { createSessionTurns } from './session-turns.ts';

/** The thread that holds the embedded PostgreSQL. It serves one data directory, which must exist. */
export type PostgresMethods = {
  /** Resolves once the backend takes queries; recovery after a crash is then done. */
  open(args: null): Promise<void>;
  run(args: { session: number; exchange: Uint8Array }): Promise<Transfer<Uint8Array>>;
  closeSession(args: { session: number }): Promise<void>;
  statistics(args: null): Promise<{ fsyncs: number }>;
  /** Writes a checkpoint and closes the files. */
  close(args: null): Promise<void>;
};
export type PostgresEvent = { sessionExpired: number } | { broken: string };

/** What the thread is started with. */
export interface PostgresData {
  directory: string;
  idleInTransactionMs: number;
}

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
// Every method awaits it and answers with its failure.
opened.catch(() => {});

const tell = serveWorkerThread({
  async open() {
    await opened;
  },
  async run({ session, exchange }) {
    const { turns } = await opened;
    const answer = await turns.run(session, exchange);
    return new Transfer(answer, [answer.buffer as ArrayBuffer]);
  },
  async closeSession({ session }) {
    (await opened).turns.close(session);
  },
  async statistics() {
    return { fsyncs: (await opened).backend.fsyncs() };
  },
  async close() {
    await (await opened).backend.close();
  },
} satisfies PostgresMethods);
