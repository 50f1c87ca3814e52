import type { Audience, Documents, LanguagePack } from '#server/languages/contract';
import type { AgentDocument } from '../contract.ts';
import type { Passage } from '../passages/contract.ts';
import { readPassages } from '../passages/read.ts';

/** What a business wrote, as passages that may be told: what steers the agent is left out. */
export function readKnowledge(
  information: string,
  prompts: readonly string[],
  language: LanguagePack,
): Passage[] {
  return toldToCustomers(
    [
      ...readPassages(information, language).map((passage) =>
        withoutSteering(passage, language.documents, false),
      ),
      ...prompts.flatMap((prompt) =>
        readPassages(prompt, language).map((passage) => withoutSteering(passage, language.documents, true)),
      ),
    ],
    language,
  );
}

/** A document as passages that may be told, under its title, in it numbered from 0. */
export function readDocument(
  { id, title, parts }: Pick<AgentDocument, 'id' | 'title' | 'parts'>,
  language: LanguagePack,
): Passage[] {
  const passages = parts.flatMap((part) =>
    readPassages(part.text, language).map((passage) => ({
      ...withoutSteering(passage, language.documents, false),
      headings: withoutRepeats([title, ...(part.title ? [part.title] : []), ...passage.headings]),
      document: id,
    })),
  );
  return toldToCustomers(passages, language);
}

/** A text often begins with its own title. */
const withoutRepeats = (headings: readonly string[]) =>
  headings.filter((heading, at) => heading.trim().toLowerCase() !== headings[at - 1]?.trim().toLowerCase());

function toldToCustomers(passages: readonly Passage[], language: LanguagePack): Passage[] {
  const told = passages.filter(({ statements }) => statements.length > 0);
  const audience = audiences(told, language.documents);
  return told.map((passage, id) => {
    const to = audience.get(passage.headings[0] ?? '') ?? 'customer';
    const statements = passage.statements.map((each) => ({
      ...each,
      told: language.documents.toCustomer(each.told, to),
    }));
    return { ...passage, id, statements };
  });
}

/** To whom each part under one widest heading speaks: a text may be put together from several. */
function audiences(passages: readonly Passage[], { audienceOf }: Documents): Map<string, Audience> {
  const texts = new Map<string, string[]>();
  for (const { headings, statements } of passages) {
    const part = headings[0] ?? '';
    const list = texts.get(part) ?? [];
    list.push(...statements.map(({ text }) => text));
    texts.set(part, list);
  }
  return new Map([...texts].map(([part, list]) => [part, audienceOf(list.join('\n'))]));
}

function withoutSteering(passage: Passage, { isSteering }: Documents, isPrompt: boolean): Passage {
  const kept = passage.statements.flatMap((statement, at) =>
    isSteering(statement.text, { isPrompt, isAnswer: passage.kind === 'answer' }) ? [] : [at],
  );
  if (kept.length === passage.statements.length) return passage;
  return {
    ...passage,
    statements: kept.flatMap((at) => {
      const statement = passage.statements[at];
      if (!statement) return [];
      const leansOn = statement.leansOn.map((other) => kept.indexOf(other)).filter((other) => other >= 0);
      return [{ ...statement, leansOn }];
    }),
  };
}
