import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentProfile } from '#server/dialogue/contract';
import { takeCitations } from '#server/dialogue/models/clean/citations';
import { cleaned } from '#server/dialogue/models/clean/clean';
import { createDialogue } from '#server/dialogue/respond';
import { unknownHabits } from '#server/engines/language/contract';
import { createFakeLanguage } from '#server/engines/language/fake';
import type { Checking } from '#shared/engine-settings';
import { openReading } from './evaluate/brain.ts';
import { figure, share } from './figures.ts';

const agentsSchema = z.array(
  z.object({
    id: z.string(),
    agent: z.object({
      name: z.string(),
      companyName: z.string(),
      personality: z.string(),
      companyInfo: z.string(),
    }),
  }),
);
const asked = { business: z.string(), q: z.string() };
const setSchemas = {
  answers: z.array(z.object({ ...asked, answer: z.string() })),
  pairs: z.array(z.object({ ...asked, sentence: z.string(), isTrue: z.boolean() })),
  manners: z.array(z.object({ ...asked, sentence: z.string() })),
  languages: z.array(z.object({ ...asked, sentence: z.string(), isTrue: z.boolean() })),
};

/** A model's words, and whether they are true. */
interface Case {
  business: string;
  q: string;
  words: string;
  isTrue: boolean;
  set: keyof typeof setSchemas;
}

interface HeardOptions {
  /** A folder with agents.json, answers.json, pairs.json, manners.json and languages.json. */
  sets: string;
  /** The even cases of each set, for inspection; or the odd ones, only for figures. */
  half: 'dev' | 'held-out';
  checking: Checking;
  /** The model's verdicts on its own sentences: right ones, or none. */
  verdicts: 'right' | 'none';
  verbose: boolean;
}

/**
 * Has a scripted model say a strong writer's answers to businesses' questions, and counts what is heard of them: whole
 * answers word for word, true and subtly false sentences, manners, other languages.
 */
export async function benchHeard({ sets, half, checking, verdicts, verbose }: HeardOptions): Promise<void> {
  const agents = new Map(
    agentsSchema
      .parse(await read(sets, 'agents'))
      .map(({ id, agent }): [string, AgentProfile] => [
        id,
        { ...agent, id, revision: '1', prompts: [], language: 'en' },
      ]),
  );
  const cases = await casesOf(sets, half);
  const reading = await openReading({ cache: true });
  let current: Case | null = null;
  const fake = createFakeLanguage(({ messages }) => {
    const last = messages.at(-1);
    const text = last && last.role !== 'tool' ? last.content : '';
    if (text.startsWith('Sentence: ')) return verdicts === 'none' ? '…' : current?.isTrue ? 'yes' : 'no';
    if (text.startsWith('(Not from the customer.)')) return '[0]';
    return current?.words ?? '';
  });
  let reason = '';
  const logger = {
    warn: (about: { reason?: string }) => {
      reason ||= about.reason ?? '';
    },
  };
  const dialogue = createDialogue({ models: () => [{ ...fake, checking }], reading, logger });
  const counts = new Map<string, { said: number; all: number }>();
  for (const agent of agents.values()) {
    const own = cases.filter(({ business }) => business === agent.id);
    if (own.length === 0) continue;
    await dialogue.complete(agent);
    for (const each of own) {
      current = each;
      reason = '';
      const said = await plainOf(each.words);
      let text = '';
      for await (const event of dialogue.respond(
        { agent, history: [], text: each.q },
        AbortSignal.timeout(60_000),
      ))
        if (event.type === 'reply') text = event.text;
      const isHeard = each.set === 'answers' ? text === said : text.includes(said);
      const name = `${each.set}, ${each.isTrue ? 'true' : 'false'}: heard`;
      const { said: before, all } = counts.get(name) ?? { said: 0, all: 0 };
      counts.set(name, { said: before + Number(isHeard), all: all + 1 });
      if (verbose && isHeard !== each.isTrue) console.log(JSON.stringify({ ...each, text, reason }));
    }
    dialogue.forget(agent);
  }
  for (const [name, { said, all }] of [...counts].sort(([a], [b]) => a.localeCompare(b)))
    figure(name, share(said, all));
  await dialogue.close();
  await reading.close();
}

const read = async (folder: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));

async function casesOf(folder: string, half: HeardOptions['half']): Promise<Case[]> {
  const isOfHalf = (_: unknown, n: number) => (n % 2 === 0) === (half === 'dev');
  const answers = setSchemas.answers.parse(await read(folder, 'answers')).filter(isOfHalf);
  const manners = setSchemas.manners.parse(await read(folder, 'manners')).filter(isOfHalf);
  const pairs = setSchemas.pairs.parse(await read(folder, 'pairs')).filter(isOfHalf);
  const languages = setSchemas.languages.parse(await read(folder, 'languages')).filter(isOfHalf);
  return [
    ...answers.map(({ answer, ...rest }) => ({
      ...rest,
      words: answer,
      isTrue: true,
      set: 'answers' as const,
    })),
    ...manners.map(({ sentence, ...rest }) => ({
      ...rest,
      words: sentence,
      isTrue: true,
      set: 'manners' as const,
    })),
    ...pairs.map(({ sentence, ...rest }) => ({ ...rest, words: sentence, set: 'pairs' as const })),
    ...languages.map(({ sentence, ...rest }) => ({ ...rest, words: sentence, set: 'languages' as const })),
  ];
}

/** Words as heard without any change. */
async function plainOf(words: string): Promise<string> {
  async function* whole() {
    yield words;
  }
  let text = '';
  const told = { onThinking: () => {}, onCall: () => {} };
  for await (const piece of cleaned(whole(), unknownHabits(), told)) text += piece;
  return takeCitations(text).text;
}
