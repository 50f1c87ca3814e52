import type { Question, Term } from './question.ts';
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
}

const marksFor = (expects: string): readonly [string, number][] =>
  expects === '#when'
    ? [
        ['#date', 1],
        ['#clock', 1],
        ['#weekday', 0.9],
        ['#duration', 0.9],
      ]
    : expects === '#clock'
      ? [
          ['#clock', 1],
          ['#weekday', 0.6],
          ['#date', 0.5],
        ]
      : expects === '#contact'
        ? [
            ['#phone', 1],
            ['#email', 1],
            ['#url', 0.6],
          ]
        : expects === '#percent'
          ? [['#percent', 1]]
          : [[expects, 1]];

interface Weighted {
  stem: string;
  weight: number;
  own: boolean;
  hits: readonly { stem: string; weight: number }[];
}

/** How much more the thing asked for weighs than what is said about it. */
const HEAD = 1.4;

/** What standing under a fitting heading is worth, next to a coverage of 1. */
const HEADING = 0.06;
/** The same for a word or two, which ask for a whole topic. */
const HEADING_OF_TOPIC = 0.16;

/** Tells a way to do something. */
const tellsHow =
  /^(?:please )?(?:go|click|open|print|call|write|select|choose|send|visit|press|enter|use|log|sign|tap|contact|show|bring|ask)\b|\b(?:by (?:email|phone|clicking|calling|letter|post)|under "|write to|select "|click|via|online at|print it|in the (?:app|portal|settings))/i;

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
  const heading = question.terms.length <= 2 && !question.expects ? HEADING_OF_TOPIC : HEADING;
  const asksToTake = /\btake\b/i.test(question.text);
  const candidates: Candidate[] = [];
  for (const unit of index.units) {
    const covered = coverage[unit.id] ?? 0;
    const likeness = likenessOf(index, unit.id, request.vector);
    if (covered < 0.12 && (likeness ?? 0) < 0.45) continue;
    if (index.steering.has(unit.id)) continue;
    const fits =
      question.expects === null ||
      marksFor(question.expects).some(([mark]) => index.marks[unit.id]?.has(mark));
    let score = covered;
    if (likeness !== null) score += 0.45 * Math.max(0, Math.min(1, (likeness - 0.2) / 0.6));
    score += 0.12 * askedAlike(index.questionStems[unit.id] ?? [], questionStems);
    score += Math.min(
      0.09,
      0.045 *
        (pairsIn(pairs, index.stems[unit.id] ?? []) + pairsIn(pairs, index.headingStems[unit.id] ?? [])),
    );
    // What stands under its own heading speaks of it more than a word in passing.
    score += heading * inHeading(unit.id);
    if (question.kind === 'how-long' && asksToTake && /\btakes?\b|\bwithin\b|\bup to\b/i.test(unit.text))
      score += 0.07;
    if (question.expects && !fits) score -= 0.12;
    if (question.kind === 'how' && tellsHow.test(unit.text)) score += 0.05;
    if (question.kind === 'why' && /\b(because|since|due to|so that|reason|in order to)\b/i.test(unit.text))
      score += 0.06;
    if (question.kind === 'where' && /\b(at|in|on|to|from|near|under|via)\b/i.test(unit.text)) score += 0.02;
    if (
      question.kind === 'yes-no' &&
      /\b(can|may|cannot|can't|not|only|must|no|yes|accept|offer|allowed|available|free|welcome|include)\b/i.test(
        unit.text,
      )
    )
      score += 0.03;
    if (question.wantsList && (/:\s*$/.test(unit.text) || (unit.text.match(/,/g)?.length ?? 0) >= 2))
      score += 0.05;
    const words = unit.text.split(' ').length;
    if (words > 45) score -= 0.03;
    if (unit.kind === 'sentence' && unit.text.endsWith('?')) score -= 0.2;
    const section = index.blocks[unit.block]?.section ?? -1;
    if (request.sections.has(section)) score += 0.1;
    candidates.push({
      unit: unit.id,
      score,
      coverage: Math.max(covered, ownCoverage[unit.id] ?? 0),
      likeness,
      fits,
    });
  }
  candidates.sort((a, b) => b.score - a.score || a.unit - b.unit);
  candidates.splice(24);

  const own = weighted.filter((w) => w.own && !w.stem.startsWith('#'));
  const ownWeight = own.reduce((sum, term) => sum + term.weight, 0) || 1;
  const top = candidates[0];
  const met = question.terms.map((term, n) => ({
    term,
    weight: weighted[n]?.weight ?? 0,
    known: Math.max(0, ...(weighted[n]?.hits ?? []).map((hit) => hit.weight)),
    strength: top ? (strengths[n]?.[top.unit] ?? 0) : 0,
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
