import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AgentProfile } from '#server/dialogue/contract';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { passagesFor } from '#server/dialogue/models/passages-for';
import { supportCheck } from '#server/dialogue/models/supported';
import { packOf } from '#server/languages/index';
import { agentOf } from './attempts.ts';
import { openReading } from './evaluate/brain.ts';
import { figure, share } from './figures.ts';

const FOLDER = new URL('evaluate/versions/', import.meta.url);
const businessesSchema = z.array(
  z.object({
    company: z.string(),
    a: z.string(),
    b: z.string(),
    /** Of which of the two texts each sentence is true. */
    sentences: z.array(z.object({ text: z.string(), a: z.boolean(), b: z.boolean() })),
  }),
);
const versions = ['a', 'b'] as const;

/**
 * Counts which sentences the check of a model's sentences lets pass for each of two versions of a business's text. Most are true of one
 * version and not of the other, so that nothing can be told by how a sentence is written. Its own words are what is asked for.
 */
export async function benchTwoVersions(): Promise<void> {
  const reading = await openReading({ cache: true });
  const library = openLibrary(reading);
  const counts = { true: { said: 0, all: 0 }, false: { said: 0, all: 0 } };
  const told = { right: 0, wrong: 0, all: 0 };
  for (const file of (await readdir(FOLDER)).sort())
    for (const { company, sentences, ...texts } of businessesSchema.parse(
      JSON.parse(await readFile(new URL(file, FOLDER), 'utf8')),
    )) {
      const passes = new Map<string, boolean>();
      for (const version of versions) {
        const agent = agentOf({ id: version, agent: 'Kim', company, info: texts[version] });
        await library.complete(agent);
        for (const { text } of sentences) passes.set(`${version} ${text}`, await isSaid(agent, text));
        library.forget(agent);
      }
      for (const sentence of sentences) {
        for (const version of versions) {
          const count = counts[sentence[version] ? 'true' : 'false'];
          count.all++;
          if (passes.get(`${version} ${sentence.text}`)) count.said++;
        }
        if (sentence.a === sentence.b) continue;
        const isRight = passes.get(`${sentence.a ? 'a' : 'b'} ${sentence.text}`);
        const isWrong = passes.get(`${sentence.a ? 'b' : 'a'} ${sentence.text}`);
        told.all++;
        if (isRight && !isWrong) told.right++;
        if (!isRight && isWrong) told.wrong++;
      }
    }
  figure('true of the text: said', share(counts.true.said, counts.true.all));
  figure('not true of the text: said', share(counts.false.said, counts.false.all));
  figure('said of the right version alone', share(told.right, told.all));
  figure('said of the wrong version alone', share(told.wrong, told.all));
  await library.close();
  await reading.close();

  async function isSaid(agent: AgentProfile, sentence: string): Promise<boolean> {
    const { statements } = await passagesFor(
      { library, reading, readingEnds: null },
      agent,
      { text: sentence, context: null },
      AbortSignal.timeout(60_000),
    );
    const unsupported = supportCheck(packOf(agent.language), {
      told: statements,
      customer: [],
      names: [agent.name, agent.companyName],
      question: sentence,
      isKnown: true,
      isOwnLanguage: true,
    });
    return unsupported(sentence) === null;
  }
}
