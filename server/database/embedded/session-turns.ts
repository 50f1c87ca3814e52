/**
 * Shares one PostgreSQL backend between sessions: one exchange runs at a time, and a session with an open
 * transaction keeps the backend until it ends, isolated as on a real server.
 */
export interface SessionTurns {
  /**
   * Runs one exchange (a query, or everything up to a Sync) when it is this session's turn.
   * @returns the backend's answer; rejects if the session was closed before its turn
   */
  run(session: number, exchange: Uint8Array): Promise<Uint8Array>;
  /** Ends a session: its pending exchanges reject, and its open transaction is rolled back. */
  close(session: number): void;
}

export interface Backend {
  /** Executes an exchange to its end and returns the answer. Synchronous: the backend is one thread. */
  execute(exchange: Uint8Array): Uint8Array;
  inTransaction(): boolean;
  rollback(): void;
}

interface Waiting {
  session: number;
  exchange: Uint8Array;
  resolve: (answer: Uint8Array) => void;
  reject: (error: unknown) => void;
}

/**
 * @param idleInTransactionMs how long a session may keep an idle transaction open, in milliseconds
 * @param onExpired called with a session that exceeded it; its transaction is rolled back and the session
 * closed
 */
export function createSessionTurns(
  backend: Backend,
  options: { idleInTransactionMs: number; onExpired: (session: number) => void },
): SessionTurns {
  let waiting: Waiting[] = [];
  let owner: number | null = null;
  let patience: NodeJS.Timeout | undefined;
  const closed = new Set<number>();

  function release(): void {
    clearTimeout(patience);
    owner = null;
  }

  function execute({ session, exchange, resolve, reject }: Waiting): void {
    clearTimeout(patience);
    try {
      resolve(backend.execute(exchange));
    } catch (error) {
      reject(error);
    }
    if (!backend.inTransaction()) {
      release();
      return;
    }
    owner = session;
    patience = setTimeout(() => {
      options.onExpired(session);
      turns.close(session);
    }, options.idleInTransactionMs);
    patience.unref();
  }

  function drain(): void {
    for (;;) {
      const index = owner === null ? 0 : waiting.findIndex(({ session }) => session === owner);
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      if (!next) return;
      execute(next);
    }
  }

  const turns: SessionTurns = {
    run(session, exchange) {
      return new Promise((resolve, reject) => {
        if (closed.has(session)) return reject(new Error('The session is closed.'));
        waiting.push({ session, exchange, resolve, reject });
        drain();
      });
    },
    close(session) {
      closed.add(session);
      const [mine, others] = [
        waiting.filter((w) => w.session === session),
        waiting.filter((w) => w.session !== session),
      ];
      waiting = others;
      for (const { reject } of mine) reject(new Error('The session is closed.'));
      if (owner === session) {
        backend.rollback();
        release();
      }
      drain();
    },
  };
  return turns;
}
