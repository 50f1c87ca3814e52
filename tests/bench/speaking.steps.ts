import type { Dialogue } from '#server/dialogue/contract';
import type { RecognitionEngine } from '#server/engines/recognition/contract';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';

/** Milliseconds of each step: an utterance recognised, a first sentence made, its first words spoken. */
export interface StepTimes {
  recognition: number[];
  dialogue: number[];
  synthesis: number[];
}

/** Measures the engines of a server from outside. */
export class Steps {
  #times: StepTimes = { recognition: [], dialogue: [], synthesis: [] };

  /** The measurements since the last call. */
  take(): StepTimes {
    const times = this.#times;
    this.#times = { recognition: [], dialogue: [], synthesis: [] };
    return times;
  }

  recognition(engine: RecognitionEngine): RecognitionEngine {
    return {
      name: engine.name,
      status: () => engine.status(),
      close: () => engine.close(),
      recognize: async (request) => {
        const started = performance.now();
        const text = await engine.recognize(request);
        if (request.urgency === 'final') this.#times.recognition.push(performance.now() - started);
        return text;
      },
    };
  }

  dialogue(dialogue: Dialogue): Dialogue {
    const count = (ms: number) => this.#times.dialogue.push(ms);
    return {
      brain: dialogue.brain,
      oneMoment: (agent) => dialogue.oneMoment(agent),
      stillThere: (agent) => dialogue.stillThere(agent),
      greet: (agent) => dialogue.greet(agent),
      title: (agent, messages) => dialogue.title(agent, messages),
      prepare: (agent, signal) => dialogue.prepare(agent, signal),
      compare: (...asked) => dialogue.compare(...asked),
      review: (agent, signal) => dialogue.review(agent, signal),
      passagesOf: (...asked) => dialogue.passagesOf(...asked),
      countPassages: (...asked) => dialogue.countPassages(...asked),
      forget: (agent) => dialogue.forget(agent),
      forgetAgent: (agentId) => dialogue.forgetAgent(agentId),
      close: () => dialogue.close(),
      async *respond(turn, signal) {
        const started = performance.now();
        for await (const event of dialogue.respond(turn, signal)) {
          if (event.type === 'sentence' && event.index === 0) count(performance.now() - started);
          yield event;
        }
      },
    };
  }

  synthesis(engine: SynthesisEngine): SynthesisEngine {
    return {
      name: engine.name,
      status: () => engine.status(),
      close: () => engine.close(),
      synthesize: (request) => timed(engine.synthesize(request), (ms) => this.#times.synthesis.push(ms)),
    };
  }
}

/** A stream, and the time from its request to its first item. */
async function* timed<T>(stream: AsyncIterable<T>, tell: (ms: number) => void): AsyncGenerator<T> {
  const started = performance.now();
  let isFirst = true;
  for await (const item of stream) {
    if (isFirst) tell(performance.now() - started);
    isFirst = false;
    yield item;
  }
}
