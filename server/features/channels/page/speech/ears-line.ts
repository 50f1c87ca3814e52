import type { RecognitionEngine } from '#server/engines/recognition/contract';
import { WaitingLine } from '#server/lib/waiting-line';

/**
 * What has been said as a whole and waits to be recognised, on pages and in rooms. What is shown while somebody goes on
 * speaking gives way by itself, and does not count.
 */
export class EarsLine {
  /** The ears, with those who wait for them counted. */
  readonly recognition: RecognitionEngine;
  readonly #line: WaitingLine;

  /** @param now a clock in milliseconds */
  constructor(engine: RecognitionEngine, now?: () => number) {
    this.#line = new WaitingLine(now);
    this.recognition = {
      get name() {
        return engine.name;
      },
      status: () => engine.status(),
      recognize: (request) =>
        request.urgency === 'final'
          ? this.#line.during(() => engine.recognize(request))
          : engine.recognize(request),
      close: () => engine.close(),
    };
  }

  /** How long what is said now would wait until it is understood, in milliseconds. */
  get waitMs(): number {
    return this.#line.waitMs;
  }
}
