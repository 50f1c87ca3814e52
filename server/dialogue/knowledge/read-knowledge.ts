import type { Audience, Documents, LanguagePack } from '#server/languages/contract';
import type { FixedAnswer } from '#shared/sayings';
import { avoidanceCheck } from '../avoidance.ts';
import type { AgentDocument } from '../contract.ts';
import type { Passage } from '../passages/contract.ts';
import { readPassages } from '../passages/read.ts';

/** A business's own texts of its agent. */
export interface Information {
  /** BCP 47. */
  language: string;
  information: string;
  prompts: readonly string[];
  answers: readonly FixedAnswer[];
  neverSays: readonly string[];
}

/**
 * A business's texts as quotable passages. Instructions are omitted from prompts, and from the information only
 * sentences that must never be said. Text that instructs the agent is quoted or not, and never followed.
 */
export function readKnowledge(
  { information, prompts, answers, neverSays }: Omit<Information, 'language'>,
  language: LanguagePack,
): Passage[] {
  const avoids = avoidanceCheck({ neverSays }, language.words);
  const { isSteering } = language.documents;
  const told = (text: string, isPrompt: boolean) =>
    readPassages(text, language).map((passage) =>
      without(
        passage,
        (sentence) => avoids(sentence) || (isPrompt && passage.kind !== 'answer' && isSteering(sentence)),
      ),
    );
  const written = toldToCustomers(
    [...told(information, false), ...prompts.flatMap((prompt) => told(prompt, true))],
    language,
  );
  const fixed = answers.flatMap((answer) => fixedPassages(answer, language));
  return [...written, ...fixed].map((passage, id) => ({ ...passage, id }));
}

/** A fixed answer, said whole and as written: a passage for each of its topics, so that each is found. */
function fixedPassages({ about, say }: FixedAnswer, { splitSentences }: LanguagePack): Omit<Passage, 'id'>[] {
  const sentences = splitSentences(say);
  const statements = sentences.map((text, own) => ({
    kind: 'sentence' as const,
    text,
    told: text,
    leansOn: sentences.flatMap((_, at) => (at === own ? [] : [at])),
  }));
  return about
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((lead) => ({ headings: [], kind: 'answer', lead, statements, isFixed: true }));
}

/** A document as quotable passages under its title, numbered from 0. */
export function readDocument(
  { id, title, parts }: Pick<AgentDocument, 'id' | 'title' | 'parts'>,
  language: LanguagePack,
): Passage[] {
  const passages = parts.flatMap((part) =>
    readPassages(part.text, language).map((passage) => ({
      ...passage,
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

/** The audience of each part under one top heading: a text may combine several. */
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

function without(passage: Passage, isLeftOut: (sentence: string) => boolean): Passage {
  const kept = passage.statements.flatMap((statement, at) => (isLeftOut(statement.text) ? [] : [at]));
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
