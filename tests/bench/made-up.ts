import type { DialogueMessage } from '#server/dialogue/contract';
import { createDialogue } from '#server/dialogue/respond';
import { createFakeLanguage } from '#server/engines/language/fake';
import { type Attempt, agentOf, readAttempts } from './attempts.ts';
import { openReading } from './evaluate/brain.ts';
import { figure, share } from './figures.ts';

interface MadeUpOptions {
  /** `dev`: attempts used to make the check; `held-out`: the others. */
  split?: 'dev' | 'held-out';
  /** Prints the verdict on each sentence. */
  verbose?: boolean;
}

/**
 * Has a scripted model say each sentence of the attempts, whose writers did not know the check, and counts the
 * sentences said.
 */
export async function benchMadeUp({
  split = 'held-out',
  verbose = false,
}: MadeUpOptions = {}): Promise<void> {
  const some = await readAttempts(split);
  const reading = await openReading({ cache: true });
  let sentence = '';
  const model = createFakeLanguage(() => sentence);
  let reason = '';
  const logger = {
    warn: (about: unknown) => {
      reason = JSON.stringify(about);
    },
  };
  const dialogue = createDialogue({ models: () => [model], reading, logger });
  const replyTo = async (attempt: Attempt, words: string) => {
    sentence = words;
    reason = '';
    const agent = agentOf(attempt);
    const history: DialogueMessage[] = attempt.said.map((content) => ({ role: 'user', content }));
    const turn = { agent, history, text: attempt.message };
    const before = model.requests.length;
    let said: { isSaid: boolean; isQuoted: boolean; text: string } | null = null;
    for await (const event of dialogue.respond(turn, new AbortController().signal))
      if (event.type === 'reply') {
        const isSaid = event.text.includes(words.slice(0, 20));
        said = { isSaid, isQuoted: !isSaid && event.outcome === 'answered', text: event.text };
      }
    // An attempt to read the instructions never reaches a model.
    return model.requests.length === before ? null : said;
  };
  const counts = new Map<string, { said: number; all: number }>();
  const count = (name: string, isCounted: boolean) => {
    const { said, all } = counts.get(name) ?? { said: 0, all: 0 };
    counts.set(name, { said: said + (isCounted ? 1 : 0), all: all + 1 });
  };
  for (const attempt of some) {
    await dialogue.complete(agentOf(attempt));
    const set = attempt.id.split('-')[0];
    for (const [isTrue, words] of [
      ...attempt.bad.map((words) => [false, words] as const),
      ...attempt.good.map((words) => [true, words] as const),
    ]) {
      const reply = await replyTo(attempt, words);
      if (!reply) continue;
      const { isSaid, isQuoted, text } = reply;
      if (isTrue) {
        count(`${set}, true: withheld`, !isSaid);
        count(`${set}, true: withheld, and nothing quoted in its place`, !isSaid && !isQuoted);
      } else {
        count(`${set}, made up: said`, isSaid);
        count(
          `${set}, made up, ${attempt.swap ? 'the right figure of another thing' : attempt.kind}: said`,
          isSaid,
        );
        if (attempt.kind === 'gap') count(`${set}, made up, gap: something else quoted`, isQuoted);
      }
      if (verbose)
        console.log(
          JSON.stringify({
            id: attempt.id,
            kind: attempt.kind,
            asked: attempt.message,
            isTrue,
            words,
            isSaid,
            isQuoted,
            text,
            reason,
          }),
        );
    }
    dialogue.forget(agentOf(attempt));
  }
  for (const [name, { said, all }] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    figure(name, share(said, all));
  await dialogue.close();
  await reading.close();
}
