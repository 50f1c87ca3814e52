import { EngineError } from '#server/lib/engine-error';
import type { Logger } from '#server/telemetry/logger';
import { type ClamdAddress, type ClamdPatience, ClamdTalk } from './clamd-talk.ts';
import type { Antivirus, ScanVerdict } from './contract.ts';

/** 25 MB, the largest upload, take an idle scanner one to two seconds. */
const PATIENCE: ClamdPatience = { connectMs: 5_000, answerMs: 30_000, allMs: 120_000 };
/** An empty chunk ends the stream. */
const END = Buffer.alloc(4);

interface ClamdOptions {
  address: ClamdAddress;
  patience?: ClamdPatience;
  /** Logs once when the scanner goes away, and once when it is back. */
  logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * ClamAV's daemon by its own protocol (clamd(8), INSTREAM): one connection per file, streamed as it comes.
 * Any unclear verdict is a failure, so nothing passes on an answer that was not understood.
 */
export function createClamd({ address, patience = PATIENCE, logger }: ClamdOptions): Antivirus {
  const closing = new AbortController();
  let isAway = false;

  const away = (cause: unknown) => {
    if (!isAway) logger.warn({ err: cause }, 'the antivirus scanner is away: no file is taken');
    isAway = true;
    return new EngineError('The antivirus scanner is away, or does not answer as it should.', {
      retryable: true,
      cause,
    });
  };
  const here = () => {
    if (isAway) logger.info('the antivirus scanner is back');
    isAway = false;
  };
  const endsOf = (signal?: AbortSignal) =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;

  /** Runs one step, and turns its failure into an EngineError. */
  async function attempt<T>(step: Promise<T>, ends: AbortSignal): Promise<T> {
    try {
      return await step;
    } catch (error) {
      ends.throwIfAborted();
      throw away(error);
    }
  }

  async function ask(command: string): Promise<string> {
    const ends = endsOf();
    ends.throwIfAborted();
    const talk = new ClamdTalk(address, patience, ends);
    try {
      await attempt(talk.begin(command), ends);
      return await attempt(talk.answer(), ends);
    } finally {
      talk.close();
    }
  }

  return {
    async *scan(bytes, signal) {
      const ends = endsOf(signal);
      ends.throwIfAborted();
      const talk = new ClamdTalk(address, patience, ends);
      try {
        await attempt(talk.begin('INSTREAM'), ends);
        let isWhole = true;
        for await (const piece of bytes) {
          if (piece.byteLength > 0) {
            await attempt(talk.send(lengthOf(piece)), ends);
            await attempt(talk.send(piece), ends);
          }
          if (talk.isOver) {
            isWhole = false;
            break;
          }
          yield piece;
        }
        if (isWhole) await attempt(talk.send(END), ends);
        const answer = await attempt(talk.answer(), ends);
        const verdict = verdictIn(answer);
        if (!verdict || (verdict.is === 'clean' && !isWhole)) throw away(new Error(`It said: ${answer}`));
        here();
        return verdict;
      } finally {
        talk.close();
      }
    },
    async check() {
      const answer = await ask('PING');
      if (answer !== 'PONG') throw away(new Error(`It said: ${answer}`));
      here();
    },
    async version() {
      const answer = await ask('VERSION');
      // The administrator may have disabled VERSION.
      return answer.startsWith('ClamAV') ? answer : null;
    },
    async close() {
      closing.abort(new EngineError('The server is closing.', { retryable: true }));
    },
  };
}

/** The length prefix of a chunk. */
function lengthOf(piece: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(piece.byteLength);
  return length;
}

/** The verdict in an answer; null if it holds none. */
function verdictIn(answer: string): ScanVerdict | null {
  if (answer === 'stream: OK') return { is: 'clean' };
  if (answer === 'INSTREAM size limit exceeded. ERROR') return { is: 'too-large' };
  const name = /^stream: (\S.*) FOUND$/.exec(answer)?.[1];
  return name === undefined ? null : { is: 'infected', name };
}
