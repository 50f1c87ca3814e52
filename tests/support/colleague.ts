import { v7 as uuidv7 } from 'uuid';
import type { CustomerTurn } from '#server/dialogue/contract';
import type { Responder, ResponderEvent } from '#server/features/turns/responder';
import { untilAborted } from '#server/lib/wait';

/** A person who answers in the place of an agent: types lines when a test says so, or none. */
export class Colleague implements Responder {
  readonly author = { kind: 'colleague' as const, id: uuidv7(), name: 'Dana' };
  readonly answersAtOnce = false;
  /** What they were asked. */
  readonly turns: CustomerTurn[] = [];
  /** Turns that were called off while they wrote. */
  calledOff = 0;
  #onLine: (line: string | null) => void = () => {};

  oneMoment(): string | null {
    return null;
  }

  /** Writes one line of a reply. */
  writes(line: string): void {
    this.#onLine(line);
  }

  /** The reply is whole; without a line before, nothing is answered. */
  isDone(): void {
    this.#onLine(null);
  }

  async *respond(turn: CustomerTurn, signal: AbortSignal): AsyncGenerator<ResponderEvent> {
    const lines: (string | null)[] = [];
    let wake = () => {};
    this.#onLine = (line) => {
      lines.push(line);
      wake();
    };
    this.turns.push(turn);
    const said: string[] = [];
    try {
      for (;;) {
        const line = lines.shift();
        if (line === null) break;
        if (line !== undefined) {
          yield { type: 'sentence', index: said.length, text: line, isLast: false };
          said.push(line);
        } else
          await untilAborted(
            new Promise<void>((resolve) => {
              wake = resolve;
            }),
            signal,
          );
      }
    } catch (error) {
      this.calledOff++;
      throw error;
    }
    if (said.length > 0) yield { type: 'reply', text: said.join(' ') };
  }
}
