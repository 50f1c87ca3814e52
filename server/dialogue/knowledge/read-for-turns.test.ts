import { expect, it, vi } from 'vitest';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createFakeReading } from '#server/engines/reading/fake';
import { readForTurns, type TurnReading } from './read-for-turns.ts';

/** Turns of an account each, unless it is named. */
function turnsOf(engine: ReadingEngine, maxVectors?: number) {
  const begin = readForTurns(engine, maxVectors);
  let accounts = 0;
  return { begin, forTurn: () => begin(`account ${++accounts}`).engine };
}

function aReader(maxVectors?: number) {
  const engine = createFakeReading();
  const embed = vi.spyOn(engine, 'embed');
  const relevance = vi.spyOn(engine, 'relevance');
  return { engine, embed, relevance, ...turnsOf(engine, maxVectors) };
}

it('reads for turns in the order they began', async () => {
  const { forTurn, embed, relevance } = aReader();
  const [first, second] = [forTurn(), forTurn()];
  await second.embed(['late?'], { as: 'question' });
  await first.relevance('late?', ['Refunds are late.']);
  expect(embed.mock.lastCall?.[1]).toMatchObject({ as: 'question', turn: 2 });
  expect(relevance.mock.lastCall?.[2]).toMatchObject({ turn: 1 });
});

it('lets a turn that nobody waits for wait for all others, and asks for each question once', async () => {
  const engine = createFakeReading();
  const embed = vi.spyOn(engine, 'embed');
  const relevance = vi.spyOn(engine, 'relevance');
  const { engine: aside } = readForTurns(engine, undefined, 'index')('effects');
  await aside.embed(['late?'], { as: 'question' });
  await aside.embed(['late?'], { as: 'question' });
  await aside.relevance('late?', ['Refunds are late.']);
  expect(embed.mock.calls).toEqual([[['late?'], { as: 'question', urgency: 'index', turn: 1 }]]);
  expect(relevance.mock.lastCall?.[2]).toMatchObject({ urgency: 'index' });
});

it('lets others go before many turns of one account', async () => {
  const { begin, embed } = aReader();
  const place = async ({ engine }: TurnReading) => {
    await engine.embed(['?'], { as: 'question' });
    return embed.mock.lastCall?.[1]?.turn ?? Number.NaN;
  };
  const many = Array.from({ length: 5 }, () => begin('Ada'));
  const other = await place(begin('Bob'));
  const places: number[] = [];
  for (const turn of many) places.push(await place(turn));
  // The first of hers began before his; none of the others is in his way.
  expect(places[0]).toBeLessThan(other);
  for (const later of places.slice(1)) expect(later).toBeGreaterThan(other);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  // Once hers are over, she begins like anybody.
  for (const turn of many) {
    turn.end();
    turn.end();
  }
  expect(await place(begin('Ada'))).toBeLessThan(await place(begin('Bob')));
});

it('reads no pair twice within a turn', async () => {
  const { engine, forTurn, relevance } = aReader();
  const texts = ['We open at nine.', 'Parking is free.', 'We open at nine.'];
  const wanted = await engine.relevance('When do you open?', texts);
  relevance.mockClear();
  const turn = forTurn();
  expect(await turn.relevance('When do you open?', texts.slice(1))).toEqual(wanted.slice(1));
  expect(await turn.relevance('When do you open?', texts)).toEqual(wanted);
  expect(relevance.mock.calls.map(([, asked]) => asked)).toEqual([['Parking is free.', 'We open at nine.']]);
  await turn.relevance('Where do I park?', ['Parking is free.']);
  await forTurn().relevance('When do you open?', ['Parking is free.']);
  expect(relevance).toHaveBeenCalledTimes(3);
});

it('keeps the vectors of what passages say, not those of questions', async () => {
  const { engine, forTurn, embed } = aReader(2);
  const [vector] = await engine.embed(['Parking is free.']);
  embed.mockClear();
  expect(await forTurn().embed(['Parking is free.'])).toEqual([vector]);
  expect(await forTurn().embed(['Parking is free.', 'We open at nine.'])).toHaveLength(2);
  await forTurn().embed(['Parking is free.'], { as: 'question' });
  await forTurn().embed(['Parking is free.'], { as: 'question' });
  expect(embed.mock.calls.map(([texts]) => texts)).toEqual([
    ['Parking is free.'],
    ['We open at nine.'],
    ['Parking is free.'],
    ['Parking is free.'],
  ]);
  await forTurn().embed(['A third.']);
  await forTurn().embed(['Parking is free.']);
  expect(embed).toHaveBeenCalledTimes(6);
});
