import type { Citation } from '#shared/conversations';

/**
 * A unit of a business's text: a paragraph, a list with its introduction, a question with its answer, rows of a table
 * with their column names. Searches find passages, and answers are chosen within one.
 */
export interface Passage {
  /** Its place in the text, from 0. */
  id: number;
  /** The headings above it, outermost first, without markup, and without the question of an answer. */
  headings: readonly string[];
  /** Its document; absent: the company's information. */
  document?: string;
  kind: 'prose' | 'list' | 'table' | 'answer';
  /** A fixed answer of its business. */
  isFixed?: boolean;
  /** The introduction of a list or a table, or the question of an answer; null without one. */
  lead: string | null;
  /** Separately quotable parts, in the order of the text; at least one. */
  statements: readonly Statement[];
}

/** The smallest quotable unit: a sentence, an item of a list, a row of a table. */
export interface Statement {
  kind: 'sentence' | 'item' | 'row';
  /** As the business wrote it, without markup: the text of a citation. The cells of a row are separated by bars. */
  text: string;
  /** As a standalone sentence: a row with its column names, an item with its introduction. */
  told: string;
  /**
   * Places, within the passage, of statements without which this one would be wrong or unclear: the rule of an
   * exception ("except for …"), the exception of a rule, the referent of "this".
   */
  leansOn: readonly number[];
  /** Column names of a row, each with its value. */
  cells?: readonly { column: string; value: string }[];
}

/** From this length, statements of a list or table have different topics. */
const MISCELLANY = 4;

/** A list or table of many things, each of which may be asked for alone. */
export const isMiscellany = ({ kind, statements }: Pick<Passage, 'kind' | 'statements'>): boolean =>
  statements.length >= MISCELLANY && (kind === 'list' || kind === 'table');

/**
 * A citation from a passage: its source is the headings above it, the document's title first.
 * @param nowhere its source without headings
 */
export const citationOf = (
  passage: Pick<Passage, 'headings' | 'document'>,
  text: string,
  nowhere: string,
): Citation => ({
  text,
  source: passage.headings.join(' › ') || nowhere,
  ...(passage.document === undefined ? {} : { documentId: passage.document }),
});

/** The search text of a passage: headings, lead and statements, as a person would read them. */
export const passageText = ({
  headings,
  lead,
  statements,
}: Pick<Passage, 'headings' | 'lead' | 'statements'>) =>
  [headings.join(' – '), lead, ...statements.map(({ kind, text, told }) => (kind === 'row' ? told : text))]
    .filter(Boolean)
    .join('\n');
