import type { Words } from '#server/languages/contract';

/** Characters of evidence at a time: twice as many take half as long again to read and tell no more (docs/dialogue.md). */
const MOST = 500;
/** What a word of the question counts beside one of the sentence. */
const ASKED = 1 / 3;
/** What the statement beside a near one counts: a condition often stands in it. */
const BESIDE = 0.3;

interface Part {
  heading: string;
  text: string;
  terms: ReadonlySet<string>;
}

/**
 * Chooses what a sentence may rest on, for a closer look: the statements that share most with it, and with the question, in
 * their order, each heading once.
 * @param told statements, each with the headings it stands under (`Sources`)
 * @returns of a sentence: a text of about 500 characters at most; empty where nothing was told
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

/** As many as there is room for; one in any case. */
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

/** "Bluebird Roasters › Orders: We roast to order." stands under "Orders": the first heading is the whole text's. */
const UNDER_HEADINGS = /^[^›]+ › (?<heading>.+?): (?<text>.+)$/su;

function partOf(statement: string, termsOf: Words['termsOf']): Part {
  const { heading = '', text = statement } = UNDER_HEADINGS.exec(statement)?.groups ?? {};
  return { heading, text, terms: new Set(termsOf(statement)) };
}
