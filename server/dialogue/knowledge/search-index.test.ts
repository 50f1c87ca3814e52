import { describe, expect, it } from 'vitest';
import { packOf } from '#server/languages/index';
import type { Passage, Statement } from '../passages/contract.ts';
import { type Query, SearchIndex } from './search-index.ts';

const statement = (told: string, kind: Statement['kind'] = 'sentence'): Statement => ({
  kind,
  text: told,
  told,
  leansOn: [],
});
const passage = (heading: string, ...told: string[]): Omit<Passage, 'id'> => ({
  headings: heading ? [heading] : [],
  kind: 'prose',
  lead: null,
  statements: told.map((each) => statement(each)),
});
const list = (heading: string, ...told: string[]): Omit<Passage, 'id'> => ({
  ...passage(heading),
  kind: 'list',
  statements: told.map((each) => statement(each, 'item')),
});
const indexOf = (...passages: Omit<Passage, 'id'>[]) =>
  SearchIndex.build(
    passages.map((each, id) => ({ id, ...each })),
    packOf('en').words,
    async () => {},
  );
const asked = (text: string, vector: number[] | null = null): Query => ({
  text,
  vector: vector && Float32Array.from(vector),
});

/** Numbers of the texts with one of these words, and one for texts without. */
const near = (text: string, ...topics: RegExp[]) => topics.map((topic) => (topic.test(text) ? 1 : 0));
function fill(index: SearchIndex, topics: RegExp[], places = index.texts.map((_, at) => at)) {
  index.setVectors(places, Float32Array.from(places.flatMap((at) => near(index.texts[at] ?? '', ...topics))));
}
const ids = (result: ReturnType<SearchIndex['search']>) => result.candidates.map(({ passage }) => passage.id);

const shop = () =>
  indexOf(
    passage('Refunds', 'You get your money back within five days.'),
    passage('Parking', 'The car park behind the shop is free.'),
    passage('Opening hours', 'We are open daily from 9 am to 6 pm.'),
    passage('Delivery', 'Parcels are delivered on working days.'),
  );

describe('an index finds by words', () => {
  it('what has more of them, and the rarer ones, in any form', async () => {
    const index = await shop();
    const found = index.search(asked('How quickly are the parcels being delivered?'), 2);
    expect(found.candidates[0]).toMatchObject({ passage: { id: 3 }, likeness: 0, statements: null });
    expect(found.candidates).toHaveLength(2);
    expect(found.candidates[0]?.standsOut).toBeGreaterThan((found.candidates[1]?.standsOut ?? 0) + 1);
  });

  it('and says what share of the question a passage has, and what share stands nowhere', async () => {
    const index = await shop();
    const known = index.search(asked('Is parking free?'), 1);
    expect(known).toMatchObject({ unknown: 0, candidates: [{ passage: { id: 1 }, coverage: 1 }] });
    const half = index.search(asked('Is parking for helicopters free?'), 1);
    expect(half.unknown).toBeGreaterThan(0.3);
    expect(half.unknown).toBeLessThan(0.7);
    expect(half.candidates[0]?.coverage).toBeCloseTo(1 - half.unknown, 5);
    expect(index.search(asked('helicopters'), 1).unknown).toBe(1);
  });

  it('nothing in an empty index, anything for a question without words', async () => {
    const empty = await indexOf();
    expect(empty.texts).toEqual([]);
    expect(empty.search(asked('Is parking free?', [1, 0]), 3).candidates).toEqual([]);
    const index = await shop();
    expect(index.search(asked('?!'), 9)).toMatchObject({ unknown: 0, named: [] });
    expect(index.search(asked('?!'), 9).candidates).toHaveLength(4);
  });

  it('each passage once, best first, with as many as there are', async () => {
    const index = await shop();
    const found = ids(index.search(asked('open daily'), 9));
    expect(found[0]).toBe(2);
    expect([...found].sort()).toEqual([0, 1, 2, 3]);
  });
});

describe('an index finds by meaning', () => {
  const topics = [/money/, /car/, /open/, /parcel/i];

  it('what shares no word with the question', async () => {
    const index = await shop();
    expect(ids(index.search(asked('Can I leave my van somewhere?', [0, 1, 0, 0]), 1))).toEqual([0]);
    fill(index, topics);
    const { candidates } = index.search(asked('Can I leave my van somewhere?', [0, 1, 0, 0]), 4);
    expect(candidates[0]).toMatchObject({ passage: { id: 1 }, likeness: 1, coverage: 0 });
    expect(candidates.slice(1).map(({ likeness }) => likeness)).toEqual([0, 0, 0]);
  });

  it('and by words besides, where meaning cannot tell', async () => {
    const index = await shop();
    fill(index, topics);
    const vector = [0.5, 0.5, 0.5, 0.5];
    expect(ids(index.search(asked('Which day does it open?', vector), 1))).toEqual([2]);
    expect(ids(index.search(asked('money', vector), 1))).toEqual([0]);
  });

  it('as far as there are vectors, which come bit by bit', async () => {
    const index = await shop();
    fill(index, topics, [1]);
    const van = asked('van', [0, 1, 0, 0]);
    expect(index.search(van, 4).candidates.find(({ passage }) => passage.id === 1)?.likeness).toBe(1);
    fill(index, topics, [0, 2, 3]);
    expect(ids(index.search(van, 1))).toEqual([1]);
  });

  it('by words alone where question and texts were read by different engines', async () => {
    const index = await shop();
    fill(index, topics);
    expect(index.search(asked('Is parking free?', [0, 1]), 1).candidates).toMatchObject([
      { passage: { id: 1 }, likeness: 0, statements: null },
    ]);
  });
});

describe('statements', () => {
  const rules = ['Dogs may come in.', 'Bikes stay outside.', 'Smoking is not allowed.', 'Children pay half.'];
  const topics = [/dog/i, /bike/i, /smok/i, /child/i];

  it('of a long list or table are found by themselves, among many others', async () => {
    const index = await indexOf(list('House rules', ...rules), passage('Parking', 'The car park is free.'));
    expect(index.texts).toHaveLength(6);
    expect(index.texts.indexOf('House rules – Bikes stay outside.')).toBe(3);
    // Whole passages come first, to be found soon; this one mentions everything a little.
    index.setVectors([0, 1], Float32Array.from([0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0]));
    const bicycle = asked('May I bring my bicycle?', [0, 1, 0, 0]);
    fill(index, topics, [2, 3]);
    expect(index.search(bicycle, 1).candidates).toMatchObject([{ passage: { id: 0 }, statements: null }]);
    fill(index, topics, [4, 5]);
    const { candidates } = index.search(bicycle, 2);
    expect(candidates).toMatchObject([
      { passage: { id: 0 }, likeness: 1, statements: [0, 1, 0, 0] },
      { passage: { id: 1 }, statements: null },
    ]);
  });

  it('count beside the whole in prose and in short lists, where a passage is about one thing', async () => {
    const index = await indexOf(passage('Rules', ...rules), passage('Parking', 'The car park is free.'));
    index.setVectors([0, 1], Float32Array.from([0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0]));
    const bicycle = asked('May I bring my bicycle?', [0, 1, 0, 0]);
    expect(index.search(bicycle, 1).candidates[0]?.likeness).toBeCloseTo(0.5);
    fill(index, topics, [2, 3, 4, 5]);
    const [best] = index.search(bicycle, 1).candidates;
    expect(best).toMatchObject({ passage: { id: 0 }, statements: [0, 1, 0, 0] });
    expect(best?.likeness).toBeGreaterThan(0.5);
    expect(best?.likeness).toBeLessThan(1);
  });

  it('have none where a passage says one thing', async () => {
    expect((await indexOf(passage('Parking', 'The car park is free.'))).texts).toHaveLength(1);
  });

  it('are told by what introduces them where there is no heading', async () => {
    const index = await indexOf({ ...list('', ...rules), lead: 'In our house:' });
    expect(index.texts).toContain('In our house: – Dogs may come in.');
  });
});

describe('headings', () => {
  it('are named by a question that has all their words, in any form and order', async () => {
    const index = await shop();
    const named = (text: string) => index.search(asked(text), 1).named;
    expect(named('What are your hours, when do you open?')).toEqual(['Opening hours']);
    expect(named('Refund or delivery?')).toEqual(['Refunds', 'Delivery']);
    expect(named('When do you open?')).toEqual([]);
  });

  it('narrow a question to what stands under one of them', async () => {
    const index = await shop();
    const found = index.search({ ...asked('Are parcels delivered?'), under: 'Parking' }, 3);
    expect(ids(found)).toEqual([1]);
  });
});
