import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Answered } from './system.ts';

const ENDS_WITHIN_MS = 10_000;

/**
 * A peer's program, in Python. It prints "taken 1763877247.12", in seconds since 1970, when it takes a question as
 * complete.
 */
export class PeerProgram {
  readonly #child: ChildProcess;
  readonly #takenAt: number[] = [];
  #printed = '';
  #wake = () => {};

  constructor(python: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(python, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PYTHONUNBUFFERED: '1', ...env },
    });
    const read = (chunk: Buffer) => {
      const printed = String(chunk);
      this.#printed = (this.#printed + printed).slice(-8_000);
      for (const [, seconds] of printed.matchAll(/^taken ([\d.]+)$/gm))
        this.#takenAt.push(Number(seconds) * 1000);
      if (process.env.SIGMA_BENCH_PEERS_SAY) process.stderr.write(chunk);
      this.#wake();
    };
    this.#child.stdout?.on('data', read);
    this.#child.stderr?.on('data', read);
  }

  /** @throws Error with its output if it ends before */
  says(words: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = () => {
        if (this.#printed.includes(words)) resolve();
      };
      this.#child.once('error', reject);
      this.#child.once('exit', (code) => reject(new Error(`It ended with code ${code}: ${this.#printed}`)));
      this.#wake();
    });
  }

  /** When it took a question as complete; null if it did not report it. */
  takenIn({ clip, endedAt, heardAt }: Answered): number | null {
    const [first] = this.#takenAt.filter((at) => at > endedAt - clip.endMs && at <= (heardAt ?? Infinity));
    return first ?? null;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const overdue = setTimeout(() => this.#child.kill('SIGKILL'), ENDS_WITHIN_MS);
    await gone;
    clearTimeout(overdue);
  }
}
