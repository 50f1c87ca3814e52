import type { Citation } from '#shared/conversations';
import { properNames } from '../words/names.ts';
import { contentStems, tokenize } from '../words/tokens.ts';
import { wordVectors } from '../words/word-vectors.ts';
import { askedColumns } from './asked-column.ts';
import type { Candidate, Findings } from './find.ts';
import type { Unit } from './parse.ts';
import type { Question } from './question.ts';
import { expand, type SearchIndex } from './search-index.ts';
import { type Audience, toCustomer, upperFirst } from './speech.ts';
import { tellList, tellRowFor, tellWays, withItsSubject } from './tell.ts';

export interface Answer {
  /** What is said, one sentence each. */
  sentences: string[];
  citations: Citation[];
  /** Of a yes/no question, where the evidence is plain; the first sentence begins with it. */
  polarity: 'yes' | 'no' | null;
}

const MAX_WORDS = 60;
const MAX_LIST_ITEMS = 12;

/** Sentences that cannot stand without the one before. */
const leansBack =
  /^(?:it|this|that|these|those|they|he|she|such|otherwise|however|but|also|additionally|in addition|in that case|in this case|then|afterwards|after that|if so|if not|instead|therefore|thus|for example|e\.g\.|the same|both|neither|either|other|others|likewise|similarly|there(?:after)?|doing so|once (?:done|this|that|it)|note that this)\b/i;
/** Sentences that limit or complete the one before. */
const completes =
  /^(?:otherwise|however|but|except|unless|other |others |if not|in that case|in this case|this excludes|exceptions?|only|the exception|after that|afterwards|then|please note|note)\b/i;

/** How much less than the best a row of its table, a neighbour and a sentence from elsewhere may score to be told as well. */
const SAME_TABLE = 0.06;
const NEAR = 0.12;
const NEAR_EXACT = 0.09;
const ELSEWHERE = 0.08;

/** Chooses the fewest sentences that answer, and says them to the customer. */
export function makeAnswer(
  index: SearchIndex,
  question: Question,
  findings: Findings,
  audienceOf: (unit: number) => Audience,
): Answer {
  const best = findings.candidates[0];
  if (!best) return { sentences: [], citations: [], polarity: null };
  const alone = new Map<number, string>();
  for (const { unit } of findings.candidates) {
    const told = withItsSubject(index, question, unit);
    if (told) alone.set(unit, told);
  }
  const pieces =
    wholeColumn(index, question, best) ??
    renderUnits(index, chooseUnits(index, question, findings.candidates, alone), question, alone);
  const sentences: string[] = [];
  const citations: Citation[] = [];
  for (const piece of pieces) {
    sentences.push(closed(toCustomer(piece.text, audienceOf(piece.units[0] ?? best.unit))));
    for (const id of piece.units) {
      const unit = index.units[id];
      if (unit) citations.push({ text: unit.text, source: sourceOf(unit) });
    }
  }
  const first = pieces[0];
  const polarity =
    question.isYesNo && first?.units.includes(best.unit) ? polarityOf(index, first.text, question) : null;
  const [opening, ...others] = sentences;
  return {
    sentences:
      polarity && opening
        ? [`${polarity === 'yes' ? 'Yes' : 'No'}, ${afterYesOrNo(index, opening)}`, ...others]
        : sentences,
    citations,
    polarity,
  };
}

export function sourceOf(unit: Unit): string {
  return (
    [
      ...unit.headings,
      ...(unit.question && unit.question !== unit.headings.at(-1) ? [unit.question] : []),
    ].join(' › ') || 'Company information'
  );
}

/** The rows of a table that is asked about as a whole, each with the column that was asked for; else null. */
function wholeColumn(
  index: SearchIndex,
  question: Question,
  best: Candidate,
): { text: string; units: number[] }[] | null {
  if (best.clues.column === 0) return null;
  const column = askedColumns(index, question).get(index.units[best.unit]?.block ?? -1);
  if (!column?.told) return null;
  const ways = tellWays(
    column.units.flatMap((id) => index.units[id] ?? []),
    question,
  );
  if (ways) return [{ text: ways, units: [...column.units] }];
  return column.units.map((id, n) => ({ text: column.told?.[n] ?? '', units: [id] }));
}

/** Units to say, in the order of the text. */
function chooseUnits(
  index: SearchIndex,
  question: Question,
  candidates: readonly Candidate[],
  alone: ReadonlyMap<number, string>,
): number[] {
  const best = candidates[0];
  if (!best) return [];
  const scores = new Map(candidates.map((c) => [c.unit, c.score]));
  const chosen = new Set<number>();
  const add = (id: number) => {
    for (const one of alone.has(id) ? [id] : withItsContext(index, id)) chosen.add(one);
  };
  const unit = index.units[best.unit];
  const block = index.blocks[unit?.block ?? -1];
  if (unit && block && block.kind === 'list' && isWholeList(question, block.units, scores, best.score)) {
    if (block.leadInUnit !== null) chosen.add(block.leadInUnit);
    for (const id of block.units) chosen.add(id);
    return [...chosen].sort((a, b) => a - b);
  }
  add(best.unit);
  if (block?.kind === 'table') {
    // Rows that match as well belong to the answer: "How much is delivery?" has one price per country.
    for (const c of candidates.slice(1, 8))
      if (
        index.units[c.unit]?.block === block.id &&
        c.score >= best.score - (question.expects === '#contact' ? NEAR * 2 : SAME_TABLE) &&
        chosen.size < 6
      )
        add(c.unit);
  }
  const room = () => MAX_WORDS - wordsOf(index, chosen);
  if (block && block.kind === 'paragraph' && unit) {
    // A short written answer to a question is given whole.
    if (unit.question && wordsOfIds(index, block.units) <= MAX_WORDS)
      for (const id of block.units) if (!isSteeringId(index, id)) chosen.add(id);
    const next = index.units[best.unit + 1];
    if (
      next &&
      next.block === block.id &&
      !index.steering.has(next.id) &&
      completes.test(next.text) &&
      words(next) <= room()
    )
      chosen.add(next.id);
  }
  for (const id of whatIsStillOpen(index, question, best, candidates, chosen)) {
    const other = index.units[id];
    if (other && chosen.size < 4 && words(other) <= room() && !isAnotherCase(candidates, id)) add(id);
  }
  let addedElsewhere = false;
  for (const candidate of candidates.slice(1, 6)) {
    if (chosen.size >= 3 || chosen.has(candidate.unit)) continue;
    const other = index.units[candidate.unit];
    if (!other || words(other) > room()) continue;
    if (isAnotherCase(candidates, candidate.unit)) continue;
    // What needs another sentence to be understood is no short addition.
    if (leansBack.test(other.text) && !alone.has(other.id) && !chosen.has(other.id - 1)) continue;
    const sameSection = index.blocks[other.block]?.section === block?.section;
    // What answers exactly needs less beside it; from elsewhere only what answers as well.
    const near = sameSection
      ? candidate.score >= best.score - (question.expects && best.fits ? NEAR_EXACT : NEAR)
      : candidate.score >= best.score - ELSEWHERE &&
        candidate.coverage >= best.coverage - 0.04 &&
        !addedElsewhere;
    const fills = sameSection && !best.fits && candidate.fits && candidate.score >= best.score - 0.25;
    if ((near || fills) && !saysTheSame(index, chosen, other)) {
      add(candidate.unit);
      if (!sameSection) addedElsewhere = true;
    }
    if (chosen.size >= 2 && !fills && !near) break;
  }
  return inOrder(chosen, best.unit);
}

/**
 * Neighbours that say a topic word of the question which the chosen ones lack: "gold members" after a sentence on regular ones.
 * Only from the best unit's own section, so that no other matter gets in.
 */
function whatIsStillOpen(
  index: SearchIndex,
  question: Question,
  best: Candidate,
  candidates: readonly Candidate[],
  chosen: ReadonlySet<number>,
): number[] {
  const sectionOf = (id: number) => index.blocks[index.units[id]?.block ?? -1]?.section;
  const said = new Set([...chosen].flatMap((id) => index.stems[id] ?? []));
  const found: number[] = [];
  for (const term of question.terms) {
    if (term.weight < 0.9) continue;
    const stems = expand(index, term.word, term.stem, term.isName)
      .filter((hit) => hit.weight >= 0.8)
      .map((hit) => hit.stem);
    const heading = index.headingStems[best.unit] ?? [];
    if (stems.length === 0 || stems.some((stem) => said.has(stem) || heading.includes(stem))) continue;
    const next = candidates.find(
      (c) =>
        sectionOf(c.unit) === sectionOf(best.unit) &&
        c.score >= best.score - 0.45 &&
        stems.some((stem) => index.stems[c.unit]?.includes(stem)),
    );
    if (next && !found.includes(next.unit)) found.push(next.unit);
  }
  return found.slice(0, 2);
}

/** It opens with a condition that the question does not mention: "For a different product, …". */
const isAnotherCase = (candidates: readonly Candidate[], id: number) =>
  (candidates.find((c) => c.unit === id)?.clues.condition ?? 0) > 0.4;

/** The best unit with those that stand right beside it first, then the others as they stand. */
function inOrder(chosen: ReadonlySet<number>, best: number): number[] {
  const together = new Set([best]);
  for (let id = best - 1; chosen.has(id); id--) together.add(id);
  for (let id = best + 1; chosen.has(id); id++) together.add(id);
  return [...chosen].sort((a, b) => Number(together.has(b)) - Number(together.has(a)) || a - b);
}

const isSteeringId = (index: SearchIndex, id: number) => index.steering.has(id);

/** A sentence with the one it leans on, a lead-in with its list. */
function withItsContext(index: SearchIndex, id: number): number[] {
  const unit = index.units[id];
  if (!unit) return [];
  const ids = [id];
  const before = index.units[id - 1];
  if (
    unit.kind === 'sentence' &&
    leansBack.test(unit.text) &&
    before &&
    before.block === unit.block &&
    !index.steering.has(before.id)
  )
    ids.unshift(before.id);
  const block = index.listAfter.get(id);
  if (block && block.units.length <= MAX_LIST_ITEMS)
    ids.push(...block.units.filter((item) => !isSteeringId(index, item)));
  return ids;
}

function isWholeList(
  question: Question,
  items: readonly number[],
  scores: ReadonlyMap<number, number>,
  best: number,
): boolean {
  if (items.length > MAX_LIST_ITEMS) return false;
  const near = items.filter((id) => (scores.get(id) ?? 0) >= best - 0.12).length;
  if (question.wantsList) return near >= Math.min(2, items.length);
  return (
    question.kind !== 'how-much' && question.kind !== 'how-long' && near >= Math.max(2, items.length * 0.7)
  );
}

function saysTheSame(index: SearchIndex, chosen: ReadonlySet<number>, other: Unit): boolean {
  const stems = new Set(index.stems[other.id] ?? []);
  for (const id of chosen) {
    const mine = index.stems[id] ?? [];
    const shared = mine.filter((stem) => stems.has(stem)).length;
    if (shared / Math.max(1, Math.min(mine.length, stems.size)) > 0.75) return true;
  }
  return false;
}

const words = (unit: Unit) => unit.text.split(/\s+/).length;
const wordsOfIds = (index: SearchIndex, ids: Iterable<number>) => {
  let sum = 0;
  for (const id of ids) sum += index.units[id]?.text.split(/\s+/).length ?? 0;
  return sum;
};
const wordsOf = wordsOfIds;

/** Joins lead-ins with their items into one sentence; everything else stays a sentence each. */
function renderUnits(
  index: SearchIndex,
  ids: readonly number[],
  question: Question,
  alone: ReadonlyMap<number, string>,
): { text: string; units: number[] }[] {
  const pieces: { text: string; units: number[] }[] = [];
  const done = new Set<number>();
  for (const id of ids) {
    const unit = index.units[id];
    if (!unit || done.has(id)) continue;
    done.add(id);
    const block = index.listAfter.get(id);
    if (block?.units.some((item) => ids.includes(item))) {
      const items = block.units.filter((item) => ids.includes(item));
      for (const item of items) done.add(item);
      pieces.push(
        ...listPieces(
          unit,
          items.flatMap((item) => index.units[item] ?? []),
        ),
      );
      continue;
    }
    const own = index.blocks[unit.block];
    if (unit.kind === 'row' && own) {
      const rows = own.units.filter((row) => ids.includes(row));
      const ways = tellWays(
        rows.flatMap((row) => index.units[row] ?? []),
        question,
      );
      if (ways) {
        for (const row of rows) done.add(row);
        pieces.push({ text: ways, units: rows });
        continue;
      }
    }
    if (unit.kind === 'item' && own) {
      const items = own.units.filter((item) => ids.includes(item));
      if (items.length > 1) {
        for (const item of items) done.add(item);
        pieces.push(
          ...listPieces(
            null,
            items.flatMap((item) => index.units[item] ?? []),
          ),
        );
        continue;
      }
      pieces.push({ text: itemAlone(unit), units: [id] });
      continue;
    }
    pieces.push({
      text: unit.kind === 'row' ? tellRowFor(unit, question) : (alone.get(id) ?? unit.text),
      units: [id],
    });
  }
  return pieces;
}

const isSentence = (text: string) => /[.!?]["')]*$/.test(text) || text.split(/\s+/).length > 9;

function listPieces(leadIn: Unit | null, items: readonly Unit[]): { text: string; units: number[] }[] {
  const ids = items.map((item) => item.id);
  if (items.some((item) => isSentence(item.text)))
    return [
      ...(leadIn ? [{ text: leadIn.text, units: [leadIn.id] }] : []),
      ...items.map((item) => ({ text: item.text, units: [item.id] })),
    ];
  return [
    {
      text: tellList(
        leadIn?.text ?? '',
        items.map((item) => item.text),
      ),
      units: leadIn ? [leadIn.id, ...ids] : ids,
    },
  ];
}

/** An item that is no sentence is told with what introduces it. */
function itemAlone(unit: Unit): string {
  if (isSentence(unit.text) && /\s/.test(unit.text)) return unit.text;
  const leadIn = unit.leadIn.replace(/:\s*$/, '');
  if (leadIn && leadIn.split(/\s+/).length <= 14) return tellList(leadIn, [unit.text]);
  const heading = unit.headings.at(-1);
  if (heading && !unit.text.includes(':') && unit.text.split(/\s+/).length < 5)
    return `${heading}: ${unit.text}`;
  return unit.text;
}

function closed(text: string): string {
  const trimmed = upperFirst(text.trim().replace(/[;,]$/, ''));
  return /[.!?:]["')\]]*$/.test(trimmed) ? trimmed.replace(/:$/, '.') : `${trimmed}.`;
}

const negative =
  /\b(?:cannot|can not|can't|not|no|never|neither|unfortunately|unable|don't|doesn't|isn't|aren't|won't|without)\b/i;

const denies =
  /\b(?:cannot|can not|can't|do not|don't|does not|are not|is not|will not|(?:have|has|is|are|offer|there is) no|not (?:possible|available|allowed|accepted|permitted|eligible|offer|taken|included|covered)|never)\b/i;
const grants =
  /\b(?:can|may|accept|accepts|offer|offers|allowed|available|welcome|include[sd]?|provide|yes)\b/i;

/** Yes or no, where the sentence itself is a plain statement on what was asked. */
function polarityOf(index: SearchIndex, text: string, question: Question): 'yes' | 'no' | null {
  if (/^(?:yes|no)\b/i.test(text)) return null;
  if (/\b(?:not|never|n't)\b/i.test(question.text)) return null;
  const main = text.split(/[;:(]|, (?:but|unless|except|if)\b| (?:unless|except|if|but) /)[0] ?? text;
  const rest = text.slice(main.length);
  // What comes after speaks of the thing as well: neither yes nor no alone would be true.
  const stems = new Set(contentStems(rest));
  const hitsOf = (term: Question['terms'][number]) =>
    expand(index, term.word, term.stem, term.isName).filter((hit) => hit.weight >= 0.55);
  const meant = new Set(question.terms.flatMap((term) => hitsOf(term).map((hit) => hit.stem)));
  const mentioned = question.terms.some(
    (term) => term.weight >= 0.9 && !term.isVerb && hitsOf(term).some((hit) => stems.has(hit.stem)),
  );
  const denied = /\b(?:have|has|is|are|offer) no\b(.*)/i.exec(main)?.[1];
  // "We have no student discount" denies no other discount.
  if (denied !== undefined && contentStems(denied).some((stem) => !meant.has(stem))) return null;
  if (denies.test(main)) return mentioned && !denies.test(rest) ? null : 'no';
  if (negative.test(main) || /\b(?:only|provided|depending)\b/i.test(main)) return null;
  if (/\b(?:unless|except|if|however|but)\b/i.test(rest) || (mentioned && negative.test(rest))) return null;
  return grants.test(main) ? 'yes' : null;
}

/** Its first word in small letters where it is no name, so that "Yes, " can stand before it. */
function afterYesOrNo(index: SearchIndex, text: string): string {
  const word = /^[A-Z][a-z]+(?=[\s,])/.exec(text)?.[0];
  if (!word) return /^A\b/.test(text) ? lowerStart(text) : text;
  const token = tokenize(word)[0];
  const isName = token && (properNames.has(token.stem) || index.names.has(token.stem));
  return isName || wordVectors().rank(word.toLowerCase()) === null ? text : lowerStart(text);
}

const lowerStart = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
