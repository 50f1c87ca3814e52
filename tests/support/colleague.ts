import { v7 as uuidv7 } from 'uuid';
import type { CustomerTurn } from '#server/dialogue/contract';
import type { Responder, ResponderEvent } from '#server/features/turns/responder';
import { untilAborted } from '#server/lib/wait';

/** A person who responds in place of an agent: writes lines when a test says so, or none. */
export class Colleague implements Responder {
  readonly author = { kind: 'colleague' as const, id: uuidv7(), name: 'Dana' };
  readonly answersAtOnce = false;
  /** The turns they were asked to answer. */
  readonly turns: CustomerTurn[] = [];
  /** Turns called off while they wrote. */
  calledOff = 0;
  #onLine: (line: string | null) => void = () => {};

  oneMoment(): string | null {
    return null;
  }

  /** Writes a line of a reply. */
  writes(line: string): void {
    this.#onLine(line);
  }

  /** Ends the reply; without a line before, there is no answer. */
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
