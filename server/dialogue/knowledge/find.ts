import { marksFor } from './answer-types.ts';
import { askedColumns } from './asked-column.ts';
import type { Question, Term } from './question.ts';
import {
  boundClue,
  type Clues,
  cellClue,
  conditionClue,
  formClues,
  nearness,
  scoreOf,
  subjectClue,
} from './rank.ts';
import { expand, type SearchIndex } from './search-index.ts';

export interface SearchRequest {
  question: Question;
  /** Words carried over from the turn before, for a question that leans on it. */
  context: readonly { word: string; stem: string; isName: boolean; weight: number }[];
  /** Sections that the turn before was answered from. */
  sections: ReadonlySet<number>;
  /** Of the resolved question; null while there is none. */
  vector: Float32Array | null;
}

export interface Candidate {
  unit: number;
  score: number;
  /** 0 to 1: how much of the question's weight is met. */
  coverage: number;
  /** Cosine with the question, or null. */
  likeness: number | null;
  /** Bears the kind of answer that was asked for. */
  fits: boolean;
  clues: Clues;
}

export interface Findings {
  candidates: Candidate[];
  /** Share of the question's own weight that nothing in the knowledge meets, 0 to 1. */
  unknown: number;
  /** Each of the question's terms. */
  met: Met[];
}

export interface Met {
  term: Term;
  weight: number;
  /** How surely the knowledge has a word for it anywhere, 0 to 1. */
  known: number;
  /** How well the best candidate meets it, 0 to 1. */
  strength: number;
  /** The best candidate or a heading of it has the very word. */
  exact: boolean;
}

interface Weighted {
  stem: string;
  weight: number;
  own: boolean;
  hits: readonly { stem: string; weight: number }[];
}

/** How much more the thing asked for weighs than what is said about it. */
const HEAD = 1.4;

/** So many of the roughly best are looked at closely, and so many of these handed on. */
const SHORTLIST = 60;
const CANDIDATES = 24;

/** Likeness as a share: below 0.2 two sentences have nothing in common, from 0.8 they say the same. */
const scaled = (likeness: number | null) =>
  likeness === null ? 0 : Math.max(0, Math.min(1, (likeness - 0.2) / 0.6));

/** Ranks everything that can be quoted by how well it answers. */
export function find(index: SearchIndex, request: SearchRequest): Findings {
  const { question } = request;
  const count = index.units.length;
  const weighted: Weighted[] = [];
  for (const term of question.terms) {
    const hits = expand(index, term.word, term.stem, term.isName);
    // A verb that the text never uses is most likely put otherwise there.
    const certain = term.isVerb && hits.length === 0 ? 0.5 : term.isHead && hits.length > 0 ? HEAD : 1;
    weighted.push({
      stem: term.stem,
      weight: certain * term.weight * rarityOf(index, term.stem, hits),
      own: true,
      hits,
    });
  }
  if (question.expects) {
    const hits = marksFor(question.expects).map(([stem, weight]) => ({ stem, weight }));
    weighted.push({ stem: question.expects, weight: 0.55, own: true, hits });
  }
  const ownStems = new Set(weighted.map((w) => w.stem));
  const helping = question.extra.map((term) => ({ ...term, weight: term.weight * 0.6 }));
  for (const term of [...helping, ...request.context]) {
    if (ownStems.has(term.stem)) continue;
    const hits = expand(index, term.word, term.stem, term.isName);
    if (hits.length === 0) continue;
    weighted.push({
      stem: term.stem,
      weight: term.weight * rarityOf(index, term.stem, hits),
      own: false,
      hits,
    });
  }

  const total = weighted.reduce((sum, term) => sum + term.weight, 0) || 1;
  const ownTotal = weighted.filter((w) => w.own).reduce((sum, term) => sum + term.weight, 0);
  const coverage = new Float32Array(count);
  const ownCoverage = new Float32Array(count);
  const strengths: Float32Array[] = [];
  for (const term of weighted) {
    const best = new Float32Array(count);
    for (const hit of term.hits)
      for (const posting of index.postings.get(hit.stem) ?? []) {
        const strength = hit.weight * posting.strength;
        if (strength > (best[posting.unit] ?? 0)) best[posting.unit] = strength;
      }
    strengths.push(best);
    for (let u = 0; u < count; u++) {
      coverage[u] = (coverage[u] ?? 0) + (term.weight / total) * (best[u] ?? 0);
      if (term.own) ownCoverage[u] = (ownCoverage[u] ?? 0) + (term.weight / ownTotal) * (best[u] ?? 0);
    }
  }

  const questionStems = new Set(
    weighted.filter((w) => w.own).flatMap((w) => [w.stem, ...w.hits.map((h) => h.stem)]),
  );
  const pairs = adjacentPairs(question);
  const inHeading = headingShare(index, weighted);
  const aboutTopic = question.terms.length <= 2 && !question.expects;
  const soft = softCoverage(index, question, weighted);
  const meets = meetingOf(index, question, weighted);
  const head = weighted[question.terms.findIndex((term) => term.isHead)];
  const counted = (unit: number) =>
    question.kind === 'how-many' &&
    head?.hits.some((hit) => hit.weight >= 0.5 && index.shapes[unit]?.counted.has(hit.stem))
      ? 1
      : 0;
  const columns = askedColumns(index, question);
  const likenessAround = aroundOf(index, request.vector);
  const shortlist: { unit: number; rough: number }[] = [];
  for (const unit of index.units) {
    if (index.steering.has(unit.id)) continue;
    const covered = coverage[unit.id] ?? 0;
    const likeness = likenessOf(index, unit.id, request.vector);
    if (covered < 0.12 && (likeness ?? 0) < 0.4) continue;
    shortlist.push({ unit: unit.id, rough: covered + 0.45 * scaled(likeness) });
  }
  shortlist.sort((a, b) => b.rough - a.rough || a.unit - b.unit);
  const candidates: Candidate[] = [];
  for (const { unit: id } of shortlist.slice(0, SHORTLIST)) {
    const unit = index.units[id];
    if (!unit) continue;
    const covered = coverage[id] ?? 0;
    const likeness = likenessOf(index, id, request.vector);
    const fits =
      question.expects === null || marksFor(question.expects).some(([mark]) => index.marks[id]?.has(mark));
    const inHeadings = inHeading(id);
    const shape = index.shapes[id];
    if (!shape) continue;
    const place = index.places[id] ?? 0;
    const section = index.blocks[unit.block]?.section ?? -1;
    const clues: Clues = {
      covered,
      own: ownWords(index, weighted, id),
      soft: soft(id),
      like: scaled(likeness),
      around: likenessAround(section),
      asked: askedAlike(index.questionStems[id] ?? [], questionStems),
      pairs: Math.min(
        1,
        0.5 * (pairsIn(pairs, index.stems[id] ?? []) + pairsIn(pairs, index.headingStems[id] ?? [])),
      ),
      heading: inHeadings,
      topic: aboutTopic ? inHeadings : 0,
      unfit: fits ? 0 : 1,
      counts: counted(id),
      bounds: boundClue(question, unit, shape),
      first: place === 0 ? 1 : place === 1 ? 0.5 : 0,
      condition: conditionClue(question, shape, meets),
      subject: subjectClue(shape, meets),
      cell: cellClue(shape, meets),
      column: columns.get(unit.block)?.units.includes(id) ? 1 : 0,
      before: request.sections.has(section) ? 1 : 0,
      ...formClues(question, unit),
    };
    candidates.push({
      unit: id,
      score: scoreOf(clues),
      coverage: Math.max(covered, ownCoverage[id] ?? 0),
      likeness,
      fits,
      clues,
    });
  }
  candidates.sort((a, b) => b.score - a.score || a.unit - b.unit);
  candidates.splice(CANDIDATES);

  const own = weighted.filter((w) => w.own && !w.stem.startsWith('#'));
  const ownWeight = own.reduce((sum, term) => sum + term.weight, 0) || 1;
  const top = candidates[0];
  const met = question.terms.map((term, n) => ({
    term,
    weight: weighted[n]?.weight ?? 0,
    known: Math.max(0, ...(weighted[n]?.hits ?? []).map((hit) => hit.weight)),
    strength: top ? (strengths[n]?.[top.unit] ?? 0) : 0,
    exact: [index.stems, index.headingStems, index.questionStems].some((stems) =>
      stems[top?.unit ?? -1]?.includes(term.stem),
    ),
  }));
  return {
    candidates,
    met,
    unknown: met.filter((m) => m.known === 0).reduce((sum, m) => sum + m.weight, 0) / ownWeight,
  };
}

function rarityOf(
  index: SearchIndex,
  stem: string,
  hits: readonly { stem: string; weight: number }[],
): number {
  if (index.postings.has(stem)) return index.rarity(stem);
  const nearest = hits.reduce<{ stem: string; weight: number } | null>(
    (best, hit) => (!best || hit.weight > best.weight ? hit : best),
    null,
  );
  return nearest ? Math.max(0.5, index.rarity(nearest.stem)) : 1;
}

function likenessOf(index: SearchIndex, unit: number, vector: Float32Array | null): number | null {
  if (!vector || !index.vectors) return null;
  const size = index.dimensions;
  const at = unit * size;
  let dot = 0;
  for (let i = 0; i < size; i++) dot += (index.vectors[at + i] ?? 0) * (vector[i] ?? 0);
  return dot;
}

/** Likeness of the question and the whole of a section. */
function aroundOf(index: SearchIndex, vector: Float32Array | null): (section: number) => number {
  if (!vector || !index.vectors) return () => 0;
  const known = new Map<number, number>();
  return (section) => {
    const before = known.get(section);
    if (before !== undefined) return before;
    const mean = index.sectionVectors?.get(section);
    let dot = 0;
    if (mean) for (let i = 0; i < mean.length; i++) dot += (mean[i] ?? 0) * (vector[i] ?? 0);
    known.set(section, scaled(dot));
    return scaled(dot);
  };
}

/** Share of the question's weight that stands in the unit's own words. */
function ownWords(index: SearchIndex, weighted: readonly Weighted[], unit: number): number {
  const stems = new Set([...(index.stems[unit] ?? []), ...(index.marks[unit] ?? [])]);
  let met = 0;
  let total = 0;
  for (const term of weighted) {
    if (!term.own) continue;
    total += term.weight;
    let best = 0;
    for (const hit of term.hits) if (hit.weight > best && stems.has(hit.stem)) best = hit.weight;
    met += term.weight * best;
  }
  return met / (total || 1);
}

/** How well one stem meets any of the question's words. */
function meetingOf(
  index: SearchIndex,
  question: Question,
  weighted: readonly Weighted[],
): (stem: string) => number {
  const meeting = new Map<string, number>();
  for (const term of weighted)
    for (const hit of term.hits) meeting.set(hit.stem, Math.max(meeting.get(hit.stem) ?? 0, hit.weight));
  for (const term of question.terms)
    for (const [stem, near] of nearness(index, term.word, term.stem, term.isName || /\d/.test(term.word)))
      if (near > (meeting.get(stem) ?? 0)) meeting.set(stem, near);
  return (stem) => meeting.get(stem) ?? 0;
}

/** How near a unit and its last heading come to each of the question's words, by word vectors, weighed. */
function softCoverage(
  index: SearchIndex,
  question: Question,
  weighted: readonly Weighted[],
): (unit: number) => number {
  const terms = question.terms.map((term, n) => ({
    weight: weighted[n]?.weight ?? 0,
    hits: new Map(weighted[n]?.hits.map((hit) => [hit.stem, hit.weight])),
    near: nearness(index, term.word, term.stem, term.isName || /\d/.test(term.word)),
  }));
  const total = terms.reduce((sum, term) => sum + term.weight, 0) || 1;
  return (unit) => {
    const stems = [...(index.stems[unit] ?? []), ...(index.headingStems[unit] ?? [])];
    let met = 0;
    for (const term of terms) {
      let best = 0;
      for (const stem of stems) {
        const value = Math.max(term.hits.get(stem) ?? 0, term.near.get(stem) ?? 0);
        if (value > best) best = value;
      }
      met += term.weight * best;
    }
    return met / total;
  };
}

/** Share of the question's weight that stands in a unit's headings, apart from headings that everything stands under. */
function headingShare(index: SearchIndex, weighted: readonly Weighted[]): (unit: number) => number {
  const own = weighted.filter((w) => w.own && !w.stem.startsWith('#'));
  const total = own.reduce((sum, w) => sum + w.weight, 0) || 1;
  const meant = own.map((w) => ({
    weight: w.weight,
    stems: new Set(
      w.hits.filter((hit) => hit.weight >= 0.8 && index.rarity(hit.stem) > 0.36).map((hit) => hit.stem),
    ),
  }));
  const known = new Map<readonly string[], number>();
  return (unit) => {
    const stems = index.headingStems[unit] ?? [];
    const before = known.get(stems);
    if (before !== undefined) return before;
    const share =
      meant.reduce((sum, m) => sum + (stems.some((stem) => m.stems.has(stem)) ? m.weight : 0), 0) / total;
    known.set(stems, share);
    return share;
  };
}

/** 0 to 1: how much of a written question the customer's question shares. */
function askedAlike(written: readonly string[], asked: ReadonlySet<string>): number {
  if (written.length === 0) return 0;
  return written.filter((stem) => asked.has(stem)).length / written.length;
}

function adjacentPairs(question: Question): [string, string][] {
  return question.terms.slice(1).map((term, n) => [question.terms[n]?.stem ?? '', term.stem]);
}

function pairsIn(pairs: readonly [string, string][], stems: readonly string[]): number {
  return pairs.filter(([a, b]) => stems.some((stem, n) => stem === a && stems[n + 1] === b)).length;
}
