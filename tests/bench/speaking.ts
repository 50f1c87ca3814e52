import { type Clip, clipsOf } from '../speech/speech-set.ts';
import { wordErrors } from '../speech/word-errors.ts';
import { figure, percentiles } from './figures.ts';
import { type SpokenAnswer, SpokenCall } from './speaking.call.ts';
import { startServer, type TurnServer } from './turn-server.start.ts';

const CALLS_AT_ONCE = 4;

interface SpeakingOptions {
  /** Questions per figure. */
  questions?: number;
}

/**
 * Measures a spoken call from the customer's side, hands-free over a real socket, sound in real time: from the true end
 * of the question to the first audio of the answer, and the steps between. One call, then four that all speak at the
 * same moment. The reply's first sentence has 12 words and was never spoken before.
 */
export async function benchSpeaking({ questions = 40 }: SpeakingOptions = {}): Promise<void> {
  const server = await startServer();
  try {
    if (server.ears.state !== 'ready') throw new Error(`The ears are not ready: ${server.ears.message}`);
    console.log('one call');
    await measure(server, 1, questions);
    console.log(`\n${CALLS_AT_ONCE} calls that speak at the same moment`);
    await measure(server, CALLS_AT_ONCE, Math.ceil(questions / CALLS_AT_ONCE));
  } finally {
    await server.close();
  }
}

async function measure(server: TurnServer, atOnce: number, rounds: number): Promise<void> {
  const calls = await Promise.all(Array.from({ length: atOnce }, () => SpokenCall.start(server.url)));
  const clips = clipsOf('sentence', 'held-out').filter(({ person }) => !person);
  const clip = (n: number): Clip => {
    const chosen = clips[n % clips.length];
    if (!chosen) throw new Error('The speech set has no sentences.');
    return chosen;
  };
  try {
    await Promise.all(calls.map((call, place) => call.ask(clip(place))));
    await server.steps();
    const answers: SpokenAnswer[] = [];
    for (let round = 1; round <= rounds; round++)
      answers.push(
        ...(await Promise.all(calls.map((call, place) => call.ask(clip(round * atOnce + place))))),
      );
    const steps = await server.steps();
    const times = (of: (answer: SpokenAnswer) => number | null) =>
      percentiles(answers.flatMap((answer) => of(answer) ?? []));
    figure(
      'end of speech → first audio',
      times(({ audioMs }) => audioMs),
    );
    figure(
      '  of that: until it was taken as said',
      times(({ heardMs }) => heardMs),
    );
    figure(
      '  then: until it was stored',
      times(({ heardMs, storedMs }) => between(heardMs, storedMs)),
    );
    figure(
      '  then: until the first audio',
      times(({ storedMs, audioMs }) => between(storedMs, audioMs)),
    );
    figure('meanwhile: an utterance recognised', percentiles(steps.recognition));
    figure('meanwhile: a first sentence made', percentiles(steps.dialogue));
    figure('meanwhile: first words of a sentence spoken', percentiles(steps.synthesis));
    figure('not answered', String(answers.filter(({ audioMs }) => audioMs === null).length));
    const early = answers.filter(({ heardMs }) => (heardMs ?? 0) < 0);
    figure('taken as said before the last sound', String(early.length));
    for (const { clip, text, heardMs } of early)
      figure(`  ${clip.id}`, `${Math.round(heardMs ?? 0)} ms: "${text}" of "${clip.text}"`);
    const { errors, words } = answers.reduce(
      (sum, { text, clip }) => {
        const one = wordErrors(clip.text, text);
        return { errors: sum.errors + one.errors, words: sum.words + one.words };
      },
      { errors: 0, words: 0 },
    );
    figure('words heard wrong', `${errors} of ${words}`);
  } finally {
    for (const call of calls) call.hangUp();
  }
}

const between = (from: number | null, to: number | null) => (from === null || to === null ? null : to - from);
