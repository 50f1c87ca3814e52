import type { LanguagePack } from '#server/languages/contract';
import type { WritingHint } from '#shared/agents';
import type { Passage } from '../passages/contract.ts';
import { type Contradiction, contradictionsIn } from './contradictions.ts';
import { quoted, type ReadStatement, readStatements } from './statements.ts';

/** Hints of each kind: writers do not read more. */
export const MOST = 4;

/** The hints on a text by words alone. */
export interface ReadDraft {
  /** Rules that promise a time, a price or a limit without a figure. */
  withoutNumber: WritingHint[];
  contradictions: Contradiction[];
  /** Usual questions to such a business, each in several wordings. */
  usualQuestions: string[][];
}

/** Reads a text for its writer. Takes linear time, a second for a long text. */
export function readDraft(passages: readonly Passage[], pack: LanguagePack): ReadDraft {
  const statements = readStatements(passages, pack);
  return {
    withoutNumber: withoutNumber(statements, pack),
    contradictions: contradictionsIn(statements),
    usualQuestions: pack.writing.usualQuestions(textOf(passages)).map((wordings) => [...wordings]),
  };
}

/** A passage with a figure of any kind states what its words leave open. */
function withoutNumber(statements: readonly ReadStatement[], { writing }: LanguagePack): WritingHint[] {
  const exact = new Set(statements.filter(({ figures }) => figures.length > 0).map(({ passage }) => passage));
  const hints: WritingHint[] = [];
  for (const each of statements) {
    if (hints.length === MOST) break;
    const vague = exact.has(each.passage) ? null : writing.vagueIn(each.statement.told);
    if (vague !== null) hints.push({ kind: 'no-number', text: vague, passages: [quoted(each)] });
  }
  return hints;
}

const textOf = (passages: readonly Passage[]) =>
  passages
    .flatMap(({ headings, statements }) => [...headings, ...statements.map(({ text }) => text)])
    .join('\n');
