import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Patience } from '#server/lib/patience';
import type { Config } from '#server/settings/config';

export type ClamdAddress = NonNullable<Config['antivirus']>;

/** Timeouts in milliseconds. */
export interface ClamdPatience {
  /** To connect. */
  connectMs: number;
  /** For each chunk to be taken, and for the answer. */
  answerMs: number;
  /** For everything together. */
  allMs: number;
}

/** A verdict is one line. */
const MAX_ANSWER_CHARACTERS = 1_000;

/**
 * One connection to clamd: one command, one answer. Every wait rejects when time runs out, the signal aborts
 * or the peer closes.
 */
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
    // May reject before anything awaits it.
    this.#connected.catch(() => {});
  }

  /** Whether clamd has answered or closed: nothing more needs sending. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves once connected and the command is sent. */
  async begin(command: string): Promise<void> {
    await this.#within(this.#limits.connectMs, this.#connected);
    await this.send(Buffer.from(`z${command}\0`));
  }

  /** Resolves once the system has taken the bytes, or the talk is over. */
  async send(bytes: Uint8Array): Promise<void> {
    // Read a pending answer first: writing to a peer that has hung up would lose it.
    await turn();
    if (this.#isOver) return;
    const taken = new Promise<void>((resolve) => this.#socket.write(bytes, () => resolve()));
    await this.#within(this.#limits.answerMs, taken);
  }

  /** Resolves with the one answer. */
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
        // The answer ends as the command did (NUL); an early complaint may end with a newline.
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
