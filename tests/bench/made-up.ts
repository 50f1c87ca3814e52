import type { DialogueMessage } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import { createFakeLanguage } from '#server/engines/language/fake';
import { createReading } from '#server/engines/reading/index';
import { engineReady } from '../support/engine-ready.ts';
import { type Attempt, agentOf, isForTuning, readAttempts } from './attempts.ts';
import { figure, share } from './figures.ts';

interface MadeUpOptions {
  /** `dev`: attempts with odd numbers, which the check was made with; `held-out`: the others. */
  split?: 'dev' | 'held-out';
  /** Prints each sentence that was judged wrongly. */
  verbose?: boolean;
}

/**
 * Has a scripted model say each sentence of the attempts, which were written without knowing the check, and counts which of
 * them are said.
 */
export async function benchMadeUp({
  split = 'held-out',
  verbose = false,
}: MadeUpOptions = {}): Promise<void> {
  const some = (await readAttempts()).filter((each) => isForTuning(each) === (split === 'dev'));
  const reading = createReading({});
  await engineReady(reading);
  let sentence = '';
  let outcome = '';
  const model = createFakeLanguage(() => sentence);
  let reason = '';
  const logger = {
    warn: (about: unknown) => {
      reason = JSON.stringify(about);
    },
  };
  const dialogue = createDialogue({ models: () => [model], reading, logger });
  const isSaid = async (attempt: Attempt, words: string) => {
    sentence = words;
    const agent = agentOf(attempt);
    const history: DialogueMessage[] = attempt.said.map((content) => ({ role: 'user', content }));
    const turn = { agent, history, text: attempt.message };
    const before = model.requests.length;
    let reply = '';
    for await (const event of dialogue.respond(turn, new AbortController().signal))
      if (event.type === 'reply') {
        reply = event.text;
        outcome = event.outcome;
      }
    // What tries to get at the instructions never reaches a model.
    return model.requests.length === before ? null : reply.includes(words.slice(0, 20));
  };
  const counts = new Map<string, { said: number; all: number }>();
  const count = (name: string, isCounted: boolean) => {
    const { said, all } = counts.get(name) ?? { said: 0, all: 0 };
    counts.set(name, { said: said + (isCounted ? 1 : 0), all: all + 1 });
  };
  for (const attempt of some) {
    await dialogue.complete(agentOf(attempt));
    for (const words of attempt.bad) {
      const said = await isSaid(attempt, words);
      if (said === null) continue;
      count(
        attempt.swap ? 'made up, the right figure of another thing: said' : `made up, ${attempt.kind}: said`,
        said,
      );
      if (said && verbose) console.log(`said      ${attempt.id} ${attempt.kind}: ${words}`);
    }
    for (const words of attempt.good) {
      const said = await isSaid(attempt, words);
      if (said === null) continue;
      count('true: withheld', !said);
      count('true: withheld, and nothing quoted in its place', !said && outcome !== 'answered');
      if (!said && verbose) console.log(`withheld  ${attempt.id} ${attempt.kind}: ${words} ${reason}`);
    }
    dialogue.forget(agentOf(attempt));
  }
  for (const [name, { said, all }] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    figure(name, share(said, all));
  await dialogue.close();
  await reading.close();
}
