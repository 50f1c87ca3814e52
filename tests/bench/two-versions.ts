import type { AgentProfile } from '#server/dialogue/contract';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { admissionBy } from '#server/dialogue/models/admission';
import { closerLookBy } from '#server/dialogue/models/closer-look';
import { judgeBy } from '#server/dialogue/models/judge';
import { passagesFor } from '#server/dialogue/models/passages-for';
import { packOf } from '#server/languages/index';
import { agentOf } from './attempts.ts';
import { openReading } from './evaluate/brain.ts';
import { figure, share } from './figures.ts';
import { readVersions, versions } from './support-rows.ts';

/**
 * Counts which held-out sentences the check of a model's sentences passes for each of two versions of a business's
 * text. Most are true in only one version, so that a sentence's style reveals nothing. Each sentence itself serves as
 * the question.
 */
export async function benchTwoVersions(): Promise<void> {
  const reading = await openReading({ cache: true });
  const library = openLibrary(reading);
  const counts = { true: { said: 0, all: 0 }, false: { said: 0, all: 0 } };
  const told = { right: 0, wrong: 0, all: 0 };
  for (const { company, sentences, isHeldOut, ...texts } of await readVersions()) {
    if (!isHeldOut) continue;
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
    const knowing = { library, reading, readingEnds: null };
    const signal = AbortSignal.timeout(60_000);
    const asked = { text: sentence, context: null };
    const { statements } = await passagesFor(knowing, agent, packOf(agent.language), asked, signal);
    const sources = {
      told: statements,
      passages: statements,
      everything: () => '',
      customer: [],
      names: [agent.name, agent.companyName],
      question: sentence,
      today: new Date(),
      hasActed: false,
      isKnown: true,
      isOwnLanguage: true,
    };
    const judge = judgeBy(packOf(agent.language), sources, closerLookBy(reading, signal));
    return (await admissionBy('strict', judge, async () => null)(sentence, [])) === null;
  }
}
