import { readdir, readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AgentProfile } from '#server/dialogue/contract';
import { openLibrary } from '#server/dialogue/knowledge/library';
import { evidenceAmong } from '#server/dialogue/models/evidence';
import { judgeBy } from '#server/dialogue/models/judge';
import { readingAgainst } from '#server/dialogue/models/made-up';
import { passagesFor } from '#server/dialogue/models/passages-for';
import type { Sources } from '#server/dialogue/models/sources';
import { saidIn } from '#server/dialogue/said';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { packOf } from '#server/languages/index';
import { agentOf, isHeldOutAttempt, readAttempts } from './attempts.ts';

const FOLDER = new URL('evaluate/versions/', import.meta.url);
/** Held out from training. */
const HELD_OUT = ['13.json', '14.json', '15.json', '16.json'];

const businessesSchema = z.array(
  z.object({
    company: z.string(),
    a: z.string(),
    b: z.string(),
    /** In which of the two texts each sentence is true. */
    sentences: z.array(z.object({ text: z.string(), a: z.boolean(), b: z.boolean() })),
  }),
);
/** A business's text in two versions, with sentences most of which are true in only one of them. */
type TwoVersions = z.infer<typeof businessesSchema>[number] & { isHeldOut: boolean };
export const versions = ['a', 'b'] as const;

export async function readVersions(): Promise<TwoVersions[]> {
  const read = (await readdir(FOLDER)).sort().map(async (file) => {
    const businesses = businessesSchema.parse(JSON.parse(await readFile(new URL(file, FOLDER), 'utf8')));
    return businesses.map((business) => ({ ...business, isHeldOut: HELD_OUT.includes(file) }));
  });
  return (await Promise.all(read)).flat();
}

/** A sentence with its evidence, as the check of a model's sentences reads it. */
export interface SupportRow {
  id: string;
  company: string;
  sentence: string;
  evidence: string;
  isTrue: boolean;
  /** From an attempt to make an agent say something false; else from a text in two versions. */
  isAttempt: boolean;
  isHeldOut: boolean;
  /** Rules judge it, or it has no claim to check. */
  isRuled: boolean;
  features: number[];
}

/** Reads all sentences of the attempts and of the texts in two versions. */
export async function* supportRows(reading: ReadingEngine): AsyncGenerator<SupportRow> {
  const library = openLibrary(reading);
  const toldFor = async (agent: AgentProfile, question: string) => {
    const asked = { text: question, context: null };
    const knowing = { library, reading, readingEnds: null };
    const pack = packOf(agent.language);
    return (await passagesFor(knowing, agent, pack, asked, AbortSignal.timeout(60_000))).statements;
  };
  for (const attempt of await readAttempts('all')) {
    const agent = agentOf(attempt);
    const message = packOf(agent.language).messages.read(attempt.message);
    // It never reaches a model.
    if (message.acts.includes('injection')) continue;
    await library.complete(agent);
    const question = saidIn(message) || attempt.message;
    const told = await toldFor(agent, question);
    library.forget(agent);
    const read = rowBy(agent, { told, customer: [...attempt.said, attempt.message], question });
    const sentences = [
      ...attempt.bad.map((text) => ({ text, isTrue: false })),
      ...attempt.good.map((text) => ({ text, isTrue: true })),
    ];
    for (const [n, { text, isTrue }] of sentences.entries())
      yield {
        id: `${attempt.id}-${n}`,
        ...(await read(text)),
        isTrue,
        isAttempt: true,
        isHeldOut: isHeldOutAttempt(attempt.id),
      };
  }
  for (const { company, sentences, isHeldOut, ...texts } of await readVersions())
    for (const version of versions) {
      const agent = agentOf({ id: version, agent: 'Kim', company, info: texts[version] });
      await library.complete(agent);
      for (const [n, sentence] of sentences.entries()) {
        const { text } = sentence;
        const read = rowBy(agent, { told: await toldFor(agent, text), customer: [], question: text });
        const id = `${company}-${version}-${n}`;
        yield { id, ...(await read(text)), isTrue: sentence[version], isAttempt: false, isHeldOut };
      }
      library.forget(agent);
    }
  await library.close();
}

function rowBy(agent: AgentProfile, given: Pick<Sources, 'told' | 'customer' | 'question'>) {
  const pack = packOf(agent.language);
  const sources = {
    ...given,
    names: [agent.name, agent.companyName],
    passages: given.told,
    everything: () => '',
    today: new Date(),
    hasActed: false,
    isKnown: true,
    isOwnLanguage: true,
  };
  const against = readingAgainst(pack, sources);
  const evidenceFor = evidenceAmong(sources.told, sources.question, pack.words);
  const looked = new Set<string>();
  const judge = judgeBy(pack, sources, async (sentence) => {
    looked.add(sentence);
    return null;
  });
  return async (sentence: string) => {
    const judgement = judge(sentence, []);
    if (judgement.is === 'statement') await judgement.strictly();
    return {
      company: agent.companyName,
      sentence,
      evidence: evidenceFor(sentence),
      isRuled: !looked.has(sentence),
      features: against.features(sentence),
    };
  };
}
