import type { Citation } from '#shared/conversations';

/**
 * What belongs together in a business's text: a paragraph, a list with what introduces it, a question with its answer,
 * rows of a table with their column names. It is what is searched for, and inside it is chosen what to say.
 */
export interface Passage {
  /** Its place in the text, from 0. */
  id: number;
  /** The headings above it, outermost first, without markup. The question of an answer is not among them. */
  headings: readonly string[];
  /** The document it stands in; absent: the company's information. */
  document?: string;
  kind: 'prose' | 'list' | 'table' | 'answer';
  /** An answer that its business has the agent say word for word. */
  isFixed?: boolean;
  /** What introduces a list or a table, or the question of an answer; null where there is none. */
  lead: string | null;
  /** What can be said by itself, in the order of the text; at least one. */
  statements: readonly Statement[];
}

/** The smallest thing that can be said: a sentence, an item of a list, a row of a table. */
export interface Statement {
  kind: 'sentence' | 'item' | 'row';
  /** As the business wrote it, without markup: what a citation shows. The cells of a row stand between bars. */
  text: string;
  /** As a sentence that stands by itself: a row with its column names, an item with what it belongs to. */
  told: string;
  /**
   * Places, within the passage, of statements without which this one would be wrong or unclear: the rule that an
   * exception limits ("except for …"), the exception to a rule, what "this" means.
   */
  leansOn: readonly number[];
  /** Column names of a row, each with its value. */
  cells?: readonly { column: string; value: string }[];
}

/** From so many on, statements of a list or table speak of different things. */
const MISCELLANY = 4;

/** A list or table of many things, each of which may be asked for by itself. */
export const isMiscellany = ({ kind, statements }: Pick<Passage, 'kind' | 'statements'>): boolean =>
  statements.length >= MISCELLANY && (kind === 'list' || kind === 'table');

/**
 * A citation of what stands in a passage: its source is the headings above it, the document's title first.
 * @param nowhere its source where there are no headings
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

/** The text by which a passage is found: headings, lead and statements, as a person would read them. */
export const passageText = ({
  headings,
  lead,
  statements,
}: Pick<Passage, 'headings' | 'lead' | 'statements'>) =>
  [headings.join(' – '), lead, ...statements.map(({ kind, text, told }) => (kind === 'row' ? told : text))]
    .filter(Boolean)
    .join('\n');
