import type { Words } from '#server/languages/contract';
import { isMiscellany, type Passage, passageText } from '../passages/contract.ts';

/** BM25's two usual constants (Robertson and Zaragoza 2009). */
const SATURATION = 1.2;
const LENGTH = 0.75;
/** Weight of words beside meaning, both in standard deviations: the best of 0, 0.2, 0.4 and 0.6 on the dev sets. */
const LEXICAL = 0.4;

export interface Query {
  text: string;
  /** Null: words only. */
  vector: Float32Array | null;
  /** Searches only under this heading. */
  under?: string | null;
}

/** A passage that may be relevant to a question, with its scores. */
export interface Candidate {
  passage: Passage;
  /** Dot product of the vectors, −1 to 1, of the whole and its most similar statement together; 0 without vectors. */
  likeness: number;
  /** Its vector is not there yet: similarity is estimated from its words. */
  isGuessed: boolean;
  /** Standard deviations above the mean of all passages, of meaning and words together. */
  standsOut: number;
  /** Share of the question's words that the passage has, weighted by rarity: 0 to 1. */
  coverage: number;
  /** Similarity of each statement, if they have their own vectors; else null. */
  statements: readonly number[] | null;
}

export interface SearchResult {
  candidates: Candidate[];
  /** Share of the question's words that are nowhere in the knowledge, weighted by rarity: 0 to 1. */
  unknown: number;
  /** The number of passages with the rarest known word of the question; 0 if none is known. */
  spread: number;
  /** All passages. */
  total: number;
  /** Headings whose words are all in the question. */
  named: string[];
}

/** A passage or one of its statements, with a vector. */
interface Unit {
  passage: number;
  /** Null: the whole passage. */
  statement: number | null;
  text: string;
}

function unitsOf(passage: Passage, at: number): Unit[] {
  const whole = { passage: at, statement: null, text: passageText(passage) };
  if (passage.statements.length < 2) return [whole];
  const heading = passage.headings.at(-1) ?? passage.lead;
  return [
    whole,
    ...passage.statements.map(({ told }, statement) => ({
      passage: at,
      statement,
      text: heading ? `${heading} – ${told}` : told,
    })),
  ];
}

/** Statements of one agent with their own vectors: more would take minutes to read, and 3 kB each. */
const MAX_STATEMENTS = 3_000;
/**
 * Weight of a passage's most similar statement in its similarity: the best of 0, 0.25, 0.35 and 0.5 on the dev sets.
 */
const STATEMENT = 0.35;
/** Estimated similarity of a passage with all words of the question. */
const GUESSED = 0.7;

/** Passages of one agent, searched by meaning and by words. */
export class SearchIndex {
  readonly #termsOf: Words['termsOf'];
  readonly #passages: readonly Passage[];
  readonly #lengths: Float32Array;
  readonly #averageLength: number;
  /** Per term: the passages that have it and how often. */
  readonly #postings: ReadonlyMap<string, readonly (readonly [passage: number, count: number])[]>;
  readonly #units: readonly Unit[];
  /** Per passage of several statements: their places among the units. */
  readonly #statementUnits = new Map<number, number[]>();
  readonly #headings: ReadonlyMap<string, readonly string[]>;
  #vectors: Float32Array | null = null;
  /** Passages whose whole has its vector. */
  readonly #hasVector: Uint8Array;
  readonly #unitHasVector: Uint8Array;
  #dimensions = 0;

  private constructor(
    termsOf: Words['termsOf'],
    passages: readonly Passage[],
    lengths: Float32Array,
    postings: Map<string, [number, number][]>,
    units: readonly Unit[],
    headings: Map<string, string[]>,
  ) {
    this.#termsOf = termsOf;
    this.#passages = passages;
    this.#lengths = lengths;
    this.#averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
    this.#postings = postings;
    // Whole passages first: then all are searchable by meaning in half of the total time.
    this.#units = [
      ...units.filter(({ statement }) => statement === null),
      ...units.filter(({ statement }) => statement !== null),
    ];
    for (const [at, { passage, statement }] of this.#units.entries()) {
      if (statement === null) continue;
      const places = this.#statementUnits.get(passage);
      if (places) places.push(at);
      else this.#statementUnits.set(passage, [at]);
    }
    this.#hasVector = new Uint8Array(passages.length);
    this.#unitHasVector = new Uint8Array(this.#units.length);
    this.#headings = headings;
  }

  /**
   * @param termsOf search terms of a text, in the language of the agent
   * @param pause called between small pieces of work, so that questions to other indexes run in between
   */
  static async build(
    passages: readonly Passage[],
    { termsOf }: Pick<Words, 'termsOf'>,
    pause: () => Promise<void>,
  ): Promise<SearchIndex> {
    const lengths = new Float32Array(passages.length);
    const postings = new Map<string, [number, number][]>();
    const units: Unit[] = [];
    const headings = new Map<string, string[]>();
    for (const [at, passage] of passages.entries()) {
      if (at % 50 === 49) await pause();
      const [whole, ...statements] = unitsOf(passage, at);
      if (whole) units.push(whole);
      if (units.length + statements.length <= passages.length + MAX_STATEMENTS) units.push(...statements);
      for (const heading of passage.headings)
        if (!headings.has(heading)) headings.set(heading, [...new Set(termsOf(heading))]);
      const counts = new Map<string, number>();
      for (const term of termsOf(passageText(passage))) counts.set(term, (counts.get(term) ?? 0) + 1);
      for (const [term, count] of counts) {
        const list = postings.get(term);
        if (list) list.push([at, count]);
        else postings.set(term, [[at, count]]);
        lengths[at] = (lengths[at] ?? 0) + count;
      }
    }
    for (const [heading, terms] of headings) if (terms.length === 0) headings.delete(heading);
    return new SearchIndex(termsOf, passages, lengths, postings, units, headings);
  }

  get passages(): readonly Passage[] {
    return this.#passages;
  }

  /** The texts that need vectors, in the order of their places. */
  get texts(): string[] {
    return this.#units.map(({ text }) => text);
  }

  /** Takes the vectors of some texts, concatenated. */
  setVectors(places: readonly number[], joined: Float32Array): void {
    this.#dimensions = joined.length / Math.max(1, places.length);
    this.#vectors ??= new Float32Array(this.#units.length * this.#dimensions);
    for (const [n, place] of places.entries()) {
      this.#vectors.set(
        joined.subarray(n * this.#dimensions, (n + 1) * this.#dimensions),
        place * this.#dimensions,
      );
      this.#unitHasVector[place] = 1;
      const unit = this.#units[place];
      if (unit?.statement === null) this.#hasVector[unit.passage] = 1;
    }
  }

  /** Takes the vectors of texts in common with another index. @returns the places that have theirs now */
  takeVectors(other: SearchIndex): number[] {
    const [vectors, dimensions] = [other.#vectors, other.#dimensions];
    if (!vectors) return [];
    const known = new Map<string, number>();
    for (const [at, { text }] of other.#units.entries()) if (other.#unitHasVector[at]) known.set(text, at);
    return this.#units.flatMap(({ text }, place) => {
      const at = known.get(text);
      if (at === undefined) return [];
      this.setVectors([place], vectors.subarray(at * dimensions, (at + 1) * dimensions));
      return [place];
    });
  }

  /** The best passages for a question, best first. */
  search(query: Query, count: number): SearchResult {
    const { scores: words, coverage, unknown, spread } = this.#byWords(query.text);
    const meaning = this.#byMeaning(query.vector);
    const likeness = meaning?.passages ?? null;
    const meaningUnits = standardised(likeness, this.#hasVector);
    const wordUnits = standardised(words, null);
    const standsOut = meaningUnits.map((units, at) =>
      likeness ? units + LEXICAL * (wordUnits[at] ?? 0) : (wordUnits[at] ?? 0),
    );
    const { under } = query;
    if (under)
      for (const [at, passage] of this.#passages.entries())
        if (!passage.headings.includes(under)) standsOut[at] = -Infinity;
    const best = bestOf(standsOut, count).filter((at) => standsOut[at] !== -Infinity);
    return {
      unknown,
      spread,
      total: this.#passages.length,
      named: this.#namedBy(query.text),
      candidates: best.flatMap((at) => {
        const passage = this.#passages[at];
        return passage
          ? [
              {
                passage,
                likeness: likeness
                  ? this.#hasVector[at]
                    ? (likeness[at] ?? 0)
                    : GUESSED * (coverage[at] ?? 0)
                  : 0,
                isGuessed: !likeness || !this.#hasVector[at],
                standsOut: standsOut[at] ?? 0,
                coverage: coverage[at] ?? 0,
                statements: meaning ? this.#statementsOf(at, meaning.units) : null,
              },
            ]
          : [];
      }),
    };
  }

  #byWords(text: string) {
    const total = this.#passages.length;
    const scores = new Float32Array(total);
    const coverage = new Float32Array(total);
    let weight = 0;
    let unknown = 0;
    let spread = 0;
    for (const term of new Set(this.#termsOf(text))) {
      const found = this.#postings.get(term) ?? [];
      const tells = Math.log(1 + (total - found.length + 0.5) / (found.length + 0.5));
      weight += tells;
      if (found.length === 0) unknown += tells;
      else spread = spread === 0 ? found.length : Math.min(spread, found.length);
      for (const [at, count] of found) {
        const length = (this.#lengths[at] ?? 0) / this.#averageLength;
        scores[at] =
          (scores[at] ?? 0) +
          (tells * count * (SATURATION + 1)) / (count + SATURATION * (1 - LENGTH + LENGTH * length));
        coverage[at] = (coverage[at] ?? 0) + tells;
      }
    }
    if (weight > 0) for (let at = 0; at < total; at++) coverage[at] = (coverage[at] ?? 0) / weight;
    return { scores, coverage, unknown: weight > 0 ? unknown / weight : 0, spread };
  }

  /**
   * Similarity of every unit; and of every passage, including its most similar statement once all of them can be
   * compared.
   */
  #byMeaning(vector: Float32Array | null): { units: Float32Array; passages: Float32Array } | null {
    const [vectors, dimensions] = [this.#vectors, this.#dimensions];
    if (!vector || !vectors || vector.length !== dimensions) return null;
    const units = new Float32Array(this.#units.length);
    const passages = new Float32Array(this.#passages.length).fill(-1);
    for (const [at, { passage, statement }] of this.#units.entries()) {
      if (!this.#unitHasVector[at]) continue;
      units[at] = dotAt(vectors, at * dimensions, vector);
      if (statement === null) passages[passage] = units[at] ?? -1;
    }
    for (const passage of this.#statementUnits.keys()) {
      const statements = this.#statementsOf(passage, units);
      if (!statements || !this.#hasVector[passage]) continue;
      const [whole, likest] = [passages[passage] ?? -1, Math.max(...statements)];
      const read = this.#passages[passage];
      // Of a list of many things, only one may be asked for.
      passages[passage] =
        read && isMiscellany(read) ? Math.max(whole, likest) : (1 - STATEMENT) * whole + STATEMENT * likest;
    }
    return { units, passages };
  }

  #statementsOf(passage: number, likeness: Float32Array): number[] | null {
    const places = this.#statementUnits.get(passage);
    // One that is not read yet must not count as dissimilar.
    if (!places?.every((at) => this.#unitHasVector[at])) return null;
    return places.map((at) => likeness[at] ?? 0);
  }

  #namedBy(text: string): string[] {
    const asked = new Set(this.#termsOf(text));
    return [...this.#headings].flatMap(([heading, terms]) =>
      terms.every((term) => asked.has(term)) ? [heading] : [],
    );
  }
}

/** Dot product of a vector with the one that begins at `from`: four sums at once take half the time of one. */
function dotAt(vectors: Float32Array, from: number, vector: Float32Array): number {
  const whole = vector.length - (vector.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let n = 0; n < whole; n += 4) {
    a += (vector[n] ?? 0) * (vectors[from + n] ?? 0);
    b += (vector[n + 1] ?? 0) * (vectors[from + n + 1] ?? 0);
    c += (vector[n + 2] ?? 0) * (vectors[from + n + 2] ?? 0);
    d += (vector[n + 3] ?? 0) * (vectors[from + n + 3] ?? 0);
  }
  for (let n = whole; n < vector.length; n++) a += (vector[n] ?? 0) * (vectors[from + n] ?? 0);
  return a + b + c + d;
}

/** In standard deviations from the mean; 0 without data. */
function standardised(values: Float32Array | null, has: Uint8Array | null): Float32Array {
  const size = values?.length ?? has?.length ?? 0;
  const units = new Float32Array(size);
  if (!values) return units;
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < size; at++) {
    if (has && !has[at]) continue;
    const value = values[at] ?? 0;
    count++;
    sum += value;
    squares += value * value;
  }
  const mean = sum / Math.max(1, count);
  const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean));
  // Among two or three passages the deviation is too small to be meaningful.
  const scale = Math.max(deviation, 0.05);
  for (let at = 0; at < size; at++) if (!has || has[at]) units[at] = ((values[at] ?? 0) - mean) / scale;
  return units;
}

/** Places of the highest values, highest first. */
function bestOf(values: Float32Array, count: number): number[] {
  const best: number[] = [];
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (best.length === count && value <= (values[best.at(-1) ?? 0] ?? 0)) continue;
    let place = best.length;
    while (place > 0 && (values[best[place - 1] ?? 0] ?? 0) < value) place--;
    best.splice(place, 0, at);
    if (best.length > count) best.pop();
  }
  return best;
}
