import type { Figure } from '#server/languages/claims';
import type { LanguagePack } from '#server/languages/contract';
import type { Passage, Statement } from '../passages/contract.ts';

/** A statement of a text with its comparable parts. */
export interface ReadStatement {
  passage: Passage;
  statement: Statement;
  /** Figures that count something. */
  figures: readonly Figure[];
  /** Its other content: stems, and numbers without a unit, which are names. */
  terms: ReadonlySet<string>;
  /** The same with the headings above it. */
  context: ReadonlySet<string>;
  isDenial: boolean;
  isConditional: boolean;
}

export function readStatements(
  passages: readonly Passage[],
  { claims, words, writing }: LanguagePack,
): ReadStatement[] {
  return passages.flatMap((passage) =>
    passage.statements.map((statement) => {
      const all = claims.figuresIn(statement.told);
      const names = all.filter(({ unit }) => unit === null).map(({ value }) => value);
      const terms = new Set([...words.termsOf(claims.withoutFigures(statement.told)), ...names]);
      return {
        passage,
        statement,
        figures: all.filter(({ unit }) => unit !== null),
        terms,
        context: new Set([...terms, ...words.termsOf([...passage.headings, passage.lead].join(' '))]),
        isDenial: claims.isDenial(statement.told),
        isConditional: writing.isConditional(statement.told),
      };
    }),
  );
}

/** A statement with the heading above it. */
export const quoted = ({ passage, statement }: ReadStatement): string =>
  [passage.headings.at(-1), statement.text].filter(Boolean).join(': ');
