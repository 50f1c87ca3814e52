import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Program, startProgram } from '../support/programs.ts';

interface StartTimes {
  /** Since its start, in milliseconds. */
  servesMs: number;
  /** Processor time until then, in milliseconds, which other work on the machine does not lengthen; null but on Linux. */
  cpuMs: number | null;
}

interface Place {
  dataDir: string;
  /** Where what it starts may write: npm, for one, lives on when it is killed. */
  home: string;
  port: number;
}

/** A server under test: text alone, and nobody to fetch weights from. */
export class KilledServer {
  readonly url: string;
  readonly #program: Program;
  readonly #startedAt = performance.now();

  private constructor({ dataDir, home, port }: Place) {
    this.url = `http://127.0.0.1:${port}`;
    this.#program = startProgram('server/app/main.ts', [], {
      PORT: String(port),
      DATA_DIR: dataDir,
      MODELS_DIR: join(home, 'no-models'),
      HOME: home,
      npm_config_registry: 'http://127.0.0.1:9/',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'fatal',
    });
    this.#program.ended.catch(() => {});
  }

  static start = (place: Place) => new KilledServer(place);

  /** Waits until it serves. @throws what it said when it ends instead */
  async serves(): Promise<StartTimes> {
    await this.#program.until(({ stdout }) => stdout.includes('Sigma is ready'));
    const answer = await fetch(`${this.url}/health`);
    if (!answer.ok) throw new Error(`/health answers ${answer.status}.`);
    const { pid } = this.#program.child;
    return {
      servesMs: performance.now() - this.#startedAt,
      cpuMs: pid === undefined ? null : await cpuMs(pid),
    };
  }

  /** Ends it where it stands, without a word. It may still be dying when this returns. */
  kill(): Promise<unknown> {
    this.#program.child.kill('SIGKILL');
    return this.#program.ended;
  }
}

/** Clock ticks of /proc: a hundredth of a second. */
const TICK_MS = 10;

async function cpuMs(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const [user, system] =
    stat
      ?.replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 13) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * TICK_MS;
}
