import { closedClasses, properNames, regionsOf } from '../words/names.ts';
import { relatedTo } from '../words/synonyms.ts';
import { stopWords, tokenize } from '../words/tokens.ts';
import { standInsFor } from '../words/word-relations.ts';
import { wordVectors } from '../words/word-vectors.ts';
import { answerMarks } from './answer-types.ts';
import { type Block, type ParsedKnowledge, parseKnowledge, type Unit } from './parse.ts';
import { type Shape, shapeOf } from './rank.ts';
import { isSteering } from './steering.ts';

/** How much a word counts by where it stands, seen from a unit. */
const OWN = 1;
const QUESTION = 1;
const NEAR_HEADING = 0.85;
const FAR_HEADING = 0.75;
const LEAD_IN = 0.8;
const NEIGHBOUR = 0.45;
const SAME_BLOCK = 0.3;
const POINTED_AT = 0.8;
/** How much a word of the same meaning counts when the text uses it as a name. */
const NAME_DISCOUNT = 0.3;

const pointsBack =
  /^(?:it|they|this|these|that|those|he|she|its|their|in (?:this|that) case|otherwise|there|such)\b/i;

export interface Hit {
  stem: string;
  weight: number;
}

/** Everything of one agent that can be quoted, and where its words stand. */
export interface SearchIndex {
  units: readonly Unit[];
  blocks: readonly Block[];
  /** For each stem or mark: units and how much it counts there. */
  postings: ReadonlyMap<string, { unit: number; strength: number }[]>;
  /** Marks of a unit's own text. */
  marks: readonly ReadonlySet<string>[];
  /** Stems of a unit's own text, in order. */
  stems: readonly (readonly string[])[];
  questionStems: readonly (readonly string[])[];
  /** What each unit's wording tells. */
  shapes: readonly Shape[];
  /** Place within its section, from 0. */
  places: readonly number[];
  /** Stems of all headings above a unit, in order. */
  headingStems: readonly (readonly string[])[];
  /** Units that tell the agent how to behave: never quoted. */
  steering: ReadonlySet<number>;
  /** The list that a unit introduces. */
  listAfter: ReadonlyMap<number, Block>;
  /** Words as written, for spelling and likeness. */
  vocabulary: ReadonlyMap<string, string>;
  /** Stems that the text writes with a capital inside sentences: "Team" as a plan is no team. */
  names: ReadonlySet<string>;
  rarity(stem: string): number;
  /** One vector per unit once they have been made. */
  vectors: Float32Array | null;
  dimensions: number;
  /** Direction of each section's units taken together, by section. */
  sectionVectors: ReadonlyMap<number, Float32Array> | null;
  expansions: Map<string, Hit[]>;
  /** Likeness of a question's word to each stem, remembered. */
  nearness: Map<string, ReadonlyMap<string, number>>;
}

/**
 * Builds the index in slices so that the thread can answer in between.
 * @param pause awaited between slices
 */
export async function buildIndex(
  information: string,
  prompts: readonly string[],
  pause: () => Promise<void> = async () => {},
): Promise<SearchIndex> {
  const parsed = parseKnowledge(information, prompts);
  const postings = new Map<string, Map<number, number>>();
  const marks: Set<string>[] = [];
  const stems: string[][] = [];
  const questionStems: string[][] = [];
  const headingStems: string[][] = [];
  const shapes: Shape[] = [];
  const places: number[] = [];
  const inSection = new Map<number, number>();
  const vocabulary = new Map<string, string>();
  const steering = new Set<number>();
  const capitals = new Map<string, { as: number; not: number }>();
  const read = rememberTokens(vocabulary, capitals);
  const add = (unit: number, words: readonly string[], strength: number) => {
    for (const word of words) {
      const at = postings.get(word) ?? new Map<number, number>();
      at.set(unit, Math.max(at.get(unit) ?? 0, strength));
      postings.set(word, at);
    }
  };
  // Read now, so that no question waits for it.
  standInsFor('');
  wordVectors();
  await pause();
  for (const unit of parsed.units) {
    if (unit.id % 50 === 49) await pause();
    const own = read(unit.text);
    stems.push(own);
    shapes.push(shapeOf(unit));
    const section = parsed.blocks[unit.block]?.section ?? -1;
    places.push(inSection.get(section) ?? 0);
    inSection.set(section, (inSection.get(section) ?? 0) + 1);
    if (isSteering(unit)) steering.add(unit.id);
    const unitMarks = new Set(answerMarks(unit.text));
    marks.push(unitMarks);
    add(unit.id, own, OWN);
    add(unit.id, [...unitMarks], OWN);
    const asked = unit.question ? read(unit.question) : [];
    questionStems.push(asked);
    add(unit.id, asked, QUESTION);
    add(unit.id, read(unit.leadIn), unit.kind === 'row' ? NEIGHBOUR : LEAD_IN);
    headingStems.push(unit.headings.flatMap(read));
    unit.headings.forEach((heading, n) => {
      add(unit.id, read(heading), n === unit.headings.length - 1 ? NEAR_HEADING : FAR_HEADING);
    });
  }
  for (const [n, block] of parsed.blocks.entries()) {
    if (n % 50 === 49) await pause();
    addNeighbours(parsed, block, stems, marks, add);
  }
  const frozen = new Map(
    [...postings].map(
      ([stem, at]) => [stem, [...at].map(([unit, strength]) => ({ unit, strength }))] as const,
    ),
  );
  const count = Math.max(parsed.units.length, 8);
  return {
    ...parsed,
    postings: frozen,
    marks,
    stems,
    questionStems,
    headingStems,
    shapes,
    places,
    steering,
    listAfter: new Map(
      parsed.blocks.flatMap((b) => (b.leadInUnit === null ? [] : [[b.leadInUnit, b] as const])),
    ),
    vocabulary,
    names: new Set([...capitals].filter(([, n]) => n.as > n.not).map(([stem]) => stem)),
    // Between 0.3 for a word of nearly every unit and 1 for a word of one.
    rarity: (stem) => {
      const df = (frozen.get(stem) ?? []).filter((p) => p.strength >= LEAD_IN).length;
      return 0.3 + 0.7 * (1 - Math.log(1 + df) / Math.log(1 + count));
    },
    vectors: null,
    dimensions: 0,
    sectionVectors: null,
    expansions: new Map(),
    nearness: new Map(),
  };
}

function addNeighbours(
  parsed: ParsedKnowledge,
  block: Block,
  stems: readonly string[][],
  marks: readonly Set<string>[],
  add: (unit: number, words: readonly string[], strength: number) => void,
) {
  if (block.kind === 'paragraph')
    block.units.forEach((id, n) => {
      for (const [other, otherId] of block.units.entries()) {
        if (otherId === id || Math.abs(other - n) > 3) continue;
        add(id, stems[otherId] ?? [], Math.abs(other - n) === 1 && other < n ? NEIGHBOUR : SAME_BLOCK);
      }
      // "It costs …" speaks of what the sentences before it name.
      for (
        let back = n;
        back > 0 && pointsBack.test(parsed.units[block.units[back] ?? -1]?.text ?? '');
        back--
      )
        add(id, stems[block.units[back - 1] ?? -1] ?? [], POINTED_AT);
    });
  // A sentence that introduces a list answers for it, too.
  if (block.leadInUnit !== null)
    for (const id of block.units) {
      add(block.leadInUnit, stems[id] ?? [], NEIGHBOUR);
      add(block.leadInUnit, [...(marks[id] ?? [])], NEIGHBOUR);
    }
}

/** Tokenises with a memory, since headings and lead-ins recur; collects the words met. */
function rememberTokens(
  vocabulary: Map<string, string>,
  capitals: Map<string, { as: number; not: number }>,
): (text: string) => string[] {
  const known = new Map<string, string[]>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const result: string[] = [];
    for (const token of tokenize(text)) {
      if (!vocabulary.has(token.word)) vocabulary.set(token.word, token.stem);
      const seen = capitals.get(token.stem) ?? { as: 0, not: 0 };
      if (token.isName) seen.as++;
      // A capital at the start of a sentence says nothing.
      else if (text.includes(token.word)) seen.not++;
      capitals.set(token.stem, seen);
      if (!token.isStop) result.push(token.stem);
    }
    known.set(text, result);
    return result;
  };
}

/** Puts the finished vectors of all units, joined end to end, into an index. */
export function setVectors(index: SearchIndex, vectors: Float32Array, dimensions: number): void {
  const sums = new Map<number, Float32Array>();
  for (const unit of index.units) {
    const section = index.blocks[unit.block]?.section ?? -1;
    const sum = sums.get(section) ?? new Float32Array(dimensions);
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (vectors[unit.id * dimensions + i] ?? 0);
    sums.set(section, sum);
  }
  for (const sum of sums.values()) {
    const length = Math.hypot(...sum) || 1;
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) / length;
  }
  index.vectors = vectors;
  index.dimensions = dimensions;
  index.sectionVectors = sums;
}

/** Stems in this index that a question's word may be met by, with how sure each is. */
export function expand(index: SearchIndex, word: string, stem: string, isName: boolean): Hit[] {
  const key = `${word}|${stem}|${isName}`;
  const known = index.expansions.get(key);
  if (known) return known;
  const hits = new Map<string, number>();
  const hit = (to: string, weight: number) => {
    if (!index.postings.has(to)) return;
    const sure = to !== stem && index.names.has(to) && !isName ? weight * NAME_DISCOUNT : weight;
    hits.set(to, Math.max(hits.get(to) ?? 0, sure));
  };
  hit(stem, 1);
  for (const other of relatedTo(stem)) hit(other.stem, other.weight);
  for (const region of regionsOf.get(stem) ?? []) hit(region, 0.6);
  for (const [mark, weight] of impliedMarks.get(stem) ?? []) hit(mark, weight);
  const closed = isName || closedClasses.has(stem) || properNames.has(stem) || /\d/.test(word);
  if (!closed) {
    // Two sources that agree are surer than either.
    const loose = new Map<string, number>();
    for (const other of standInsFor(stem))
      if (!closedClasses.has(other.stem)) loose.set(other.stem, other.weight * STAND_IN);
    const vectors = wordVectors();
    if (vectors.rank(word) !== null)
      for (const [other, otherStem] of index.vocabulary) {
        if (
          stopWords.has(other) ||
          otherStem === stem ||
          closedClasses.has(otherStem) ||
          properNames.has(otherStem)
        )
          continue;
        const likeness = vectors.similarity(word, other) ?? 0;
        const before = loose.get(otherStem) ?? 0;
        if (likeness > (before > 0 ? LIKE - 0.15 : LIKE)) {
          const like = Math.min(0.7, Math.max(0.1, 0.3 + (likeness - LIKE) * 1.6));
          loose.set(otherStem, Math.min(0.8, before > 0 ? 1 - (1 - before) * (1 - like) : like));
        }
      }
    for (const [other, weight] of loose) hit(other, weight);
  }
  const result = [...hits].map(([to, weight]) => ({ stem: to, weight }));
  if (index.expansions.size > 5_000) index.expansions.clear();
  index.expansions.set(key, result);
  return result;
}

/** How sure a word that WordNet lets stand for another is. */
const STAND_IN = 0.9;

/** Likeness of two words from which one may stand for the other; measured on this table, unrelated pairs stay below 0.45. */
const LIKE = 0.58;

/** Words that are answered by a kind of answer rather than by themselves. */
const impliedMarks = new Map<string, [string, number][]>(
  (
    [
      ['price cost fee charge expensive cheap rate tariff', '#money', 0.7],
      ['free', '#money', 0.4],
      ['long quick fast soon duration last', '#duration', 0.7],
      ['phone telephone call hotline dial', '#phone', 0.7],
      ['email', '#email', 0.7],
      ['website online web site link page', '#url', 0.6],
      ['address location located where situated', '#address', 0.75],
      ['timezone', '#timezone', 0.95],
      ['hour open close time', '#clock', 0.6],
      ['day weekend weekday', '#weekday', 0.5],
      ['weekend', '#weekday', 0.55],
      ['discount percentage percent', '#percent', 0.6],
      ['size weight dimension heavy big', '#size', 0.7],
      ['distance', '#size', 0.6],
      ['deadline date', '#date', 0.5],
      ['doctor manager owner founder ceo', '#person', 0.5],
    ] as const
  ).flatMap(([words, mark, weight]) =>
    words.split(' ').map((word): [string, [string, number][]] => [relatedKey(word), [[mark, weight]]]),
  ),
);

function relatedKey(word: string): string {
  return tokenize(word)[0]?.stem ?? word;
}
