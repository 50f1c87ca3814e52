import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Patience } from '#server/lib/patience';
import type { Config } from '#server/settings/config';

export type ClamdAddress = NonNullable<Config['antivirus']>;

/** In milliseconds. */
export interface ClamdPatience {
  /** Until it is there. */
  connectMs: number;
  /** Until it has taken a piece, and until its answer. */
  answerMs: number;
  /** Until all of that, together. */
  allMs: number;
}

/** A verdict is one line. */
const MAX_ANSWER_CHARACTERS = 1_000;

/** One connection to clamd: a command, and its one answer. Whatever is waited for rejects when time, signal or peer end it. */
export class ClamdTalk {
  readonly #socket: Socket;
  readonly #limits: ClamdPatience;
  readonly #patience: Patience;
  readonly #connected: Promise<void>;
  readonly #answer: Promise<string>;
  #isOver = false;

  constructor(address: ClamdAddress, patience: ClamdPatience, signal: AbortSignal) {
    this.#limits = patience;
    this.#patience = new Patience(patience.allMs);
    this.#socket = connect({ ...address, signal }).setEncoding('utf8');
    this.#answer = this.#readAnswer();
    this.#connected = new Promise((resolve, reject) => {
      this.#socket.once('connect', resolve);
      this.#answer.catch(reject);
    });
    // They may fail while nobody waits for them.
    this.#connected.catch(() => {});
  }

  /** Whether it has answered or gone: there is nothing more to send. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves once the connection stands and the command is on its way. */
  async begin(command: string): Promise<void> {
    await this.#within(this.#limits.connectMs, this.#connected);
    await this.send(Buffer.from(`z${command}\0`));
  }

  /** Resolves once the system has taken it, or when the talk is over. */
  async send(bytes: Uint8Array): Promise<void> {
    // An answer that came meanwhile is read first: writing to a peer that has hung up would lose it.
    await turn();
    if (this.#isOver) return;
    const taken = new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()));
    await this.#within(this.#limits.answerMs, taken);
  }

  /** What it says in the end. */
  answer(): Promise<string> {
    return this.#within(this.#limits.answerMs, this.#answer);
  }

  close(): void {
    this.#socket.destroy();
  }

  async #within<T>(ms: number, wait: Promise<T>): Promise<T> {
    try {
      return await this.#patience.during(wait, ms);
    } catch (error) {
      this.#socket.destroy();
      throw error;
    }
  }

  #readAnswer(): Promise<string> {
    let said = '';
    return new Promise((resolve, reject) => {
      this.#socket.on('data', (text: string) => {
        said += text;
        // It ends as the command did; a complaint about what was sent may end as lines do.
        const end = said.search(/[\0\n]/);
        if (end >= 0) {
          this.#isOver = true;
          resolve(said.slice(0, end));
        } else if (said.length > MAX_ANSWER_CHARACTERS)
          this.#socket.destroy(new Error('Its answer has no end.'));
      });
      this.#socket.on('error', reject);
      this.#socket.once('close', () => {
        this.#isOver = true;
        reject(new Error('It closed the connection without an answer.'));
      });
    });
  }
}
