import type { RecognitionEngine } from '#server/engines/recognition/contract';
import { WaitingLine } from '#server/lib/waiting-line';

/**
 * Complete utterances that wait to be recognised, on pages and in rooms. Partial results give way by themselves, and do
 * not count.
 */
export class EarsLine {
  /** The recogniser, with its queue counted. */
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

  /** How long a new utterance would wait to be recognised, in milliseconds. */
  get waitMs(): number {
    return this.#line.waitMs;
  }
}
