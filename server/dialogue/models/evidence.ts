import type { Words } from '#server/languages/contract';

/**
 * Characters of evidence at a time: twice as many take half as long again to read without better results
 * (docs/dialogue.md).
 */
const MOST = 500;
/** Weight of a question's word beside one of the sentence. */
const ASKED = 1 / 3;
/** Weight of a neighbour of a matching statement, which often holds a condition. */
const BESIDE = 0.3;

interface Part {
  heading: string;
  text: string;
  terms: ReadonlySet<string>;
}

/**
 * Chooses evidence for a sentence, for checking: the statements that share most with it, and with the question, in
 * order, each heading once.
 * @param told statements, each with its headings (`Sources`)
 * @returns for a sentence: a text of about 500 characters at most; empty without statements
 */
export function evidenceAmong(
  told: readonly string[],
  question: string,
  { termsOf }: Pick<Words, 'termsOf'>,
): (sentence: string) => string {
  const parts = told.map((statement) => partOf(statement, termsOf));
  const weights = new Map<string, number>();
  for (const { terms } of parts) for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + 1);
  for (const [term, count] of weights) weights.set(term, Math.log(1 + parts.length / count));
  const asked = new Set(termsOf(question));

  return (sentence) => {
    const own = new Set(termsOf(sentence));
    const shares = parts.map(({ terms }) => {
      let share = 0;
      for (const term of terms)
        share += (weights.get(term) ?? 0) * (own.has(term) ? 1 : asked.has(term) ? ASKED : 0);
      return share;
    });
    const besides = (at: number, heading: string) => (parts[at]?.heading === heading ? (shares[at] ?? 0) : 0);
    const near = parts
      .map((part, at) => {
        const beside = Math.max(besides(at - 1, part.heading), besides(at + 1, part.heading));
        return { ...part, at, nearness: (shares[at] ?? 0) + BESIDE * beside };
      })
      .sort((a, b) => b.nearness - a.nearness || a.at - b.at);
    return joined(firstOf(near).sort((a, b) => a.at - b.at));
  };
}

/** As many as fit, but at least one. */
function firstOf<P extends Part>(parts: readonly P[]): P[] {
  const taken: P[] = [];
  const headings = new Set<string>();
  let length = 0;
  for (const part of parts) {
    const more = part.text.length + (headings.has(part.heading) ? 0 : part.heading.length + 2) + 1;
    if (taken.length > 0 && length + more > MOST) continue;
    length += more;
    headings.add(part.heading);
    taken.push(part);
  }
  return taken;
}

function joined(parts: readonly Part[]): string {
  let heading = '';
  return parts
    .map((part) => {
      const isNew = part.heading !== heading && part.heading !== '';
      heading = part.heading;
      return isNew ? `${part.heading}: ${part.text}` : part.text;
    })
    .join(' ');
}

/** "Bluebird Roasters › Orders: We roast to order." is under "Orders": the first heading is the whole text's. */
const UNDER_HEADINGS = /^[^›]+ › (?<heading>.+?): (?<text>.+)$/su;

function partOf(statement: string, termsOf: Words['termsOf']): Part {
  const { heading = '', text = statement } = UNDER_HEADINGS.exec(statement)?.groups ?? {};
  return { heading, text, terms: new Set(termsOf(statement)) };
}
