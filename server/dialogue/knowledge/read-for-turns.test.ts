import { describe, expect, it, vi } from 'vitest';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createFakeReading } from '#server/engines/reading/fake';
import { readForTurns, type TurnReading } from './read-for-turns.ts';

/** Each turn has its own account unless one is named. */
function turnsOf(engine: ReadingEngine, maxVectors?: number) {
  const begin = readForTurns(engine, maxVectors === undefined ? {} : { maxVectors });
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
  const { engine: aside } = readForTurns(engine, { urgency: 'index' })('effects');
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
  // Her first turn began before his; her others do not delay him.
  expect(places[0]).toBeLessThan(other);
  for (const later of places.slice(1)) expect(later).toBeGreaterThan(other);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  // Once hers are over, she is treated like anybody.
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

describe('while many look closer', () => {
  /** Turns whose pairs take 25 ms each and finish when the test says so, by the test's clock. */
  function aBusyReader() {
    let now = 0;
    const waiting: (() => void)[] = [];
    const engine: ReadingEngine = {
      ...createFakeReading(),
      relevance: (_question, texts) =>
        new Promise((resolve) => waiting.push(() => resolve(texts.map(() => 1)))),
    };
    const begin = readForTurns(engine, { now: () => now });
    const look = ({ engine: turn }: TurnReading, count = 2) =>
      turn.relevance(
        '?',
        Array.from({ length: count }, (_, n) => `passage ${n}`),
      );
    return {
      begin,
      look,
      pass: (ms: number) => {
        now += ms;
      },
      answerNext: () => waiting.shift()?.(),
    };
  }
  const refusal = { name: 'EngineError', retryable: true };

  it('a sentence of a model is looked at, however long the model took, until others stand before it', async () => {
    const { begin, look, pass } = aBusyReader();
    const slow = begin('slow');
    const other = look(begin('other'));
    pass(5_000);
    await expect(look(slow)).rejects.toMatchObject(refusal);
    expect(await slow.engine.entailment('Shops open at nine.', 'Shops open at nine.')).toBe(9);
    const more = Array.from({ length: 6 }, (_, n) => look(begin(`${n}`)));
    await expect(slow.engine.entailment('Shops open at ten.', 'Shops open at nine.')).rejects.toMatchObject(
      refusal,
    );
    expect(await Promise.race([other, ...more, Promise.resolve('still read')])).toBe('still read');
  });

  it('is refused who would be answered too late, and nobody before', async () => {
    const { begin, look } = aBusyReader();
    // Each has 3 × (2 × 25 ms) more to come than is queued: the eighth would wait for more than a second.
    const early = Array.from({ length: 7 }, (_, n) => look(begin(`${n}`)));
    await expect(look(begin('late'))).rejects.toMatchObject(refusal);
    expect(await Promise.race([...early, Promise.resolve('still read')])).toBe('still read');
  });

  it('is asked once more when the others were read', async () => {
    const { begin, look, answerNext } = aBusyReader();
    const early = Array.from({ length: 7 }, (_, n) => look(begin(`${n}`)));
    const late = begin('late');
    await expect(look(late)).rejects.toMatchObject(refusal);
    for (const _ of early) answerNext();
    await Promise.all(early);
    const again = look(late);
    answerNext();
    expect(await again).toEqual([1, 1]);
  });

  it('is nothing begun late that others stand before, but all that nobody stands before', async () => {
    const { begin, look, pass, answerNext } = aBusyReader();
    const slow = begin('slow');
    pass(990);
    const other = look(begin('other'), 1);
    await expect(look(slow)).rejects.toMatchObject(refusal);
    answerNext();
    await other;
    pass(5_000);
    const alone = look(slow);
    answerNext();
    expect(await alone).toEqual([1, 1]);
  });

  it('is not refused for what the same turn asked for itself', async () => {
    const { begin, look, pass, answerNext } = aBusyReader();
    const alone = begin('alone');
    pass(2_000);
    const both = Promise.all([
      look(alone, 5),
      alone.engine.relevance('And what was asked before?', ['passage 0']),
    ]);
    answerNext();
    answerNext();
    expect(await both).toEqual([[1, 1, 1, 1, 1], [1]]);
  });

  it('questions are read all the same, and the patient are refused nothing', async () => {
    const { begin, look, answerNext } = aBusyReader();
    for (let n = 0; n < 7; n++) void look(begin(`${n}`));
    expect(await begin('late').engine.embed(['When?'], { as: 'question' })).toHaveLength(1);
    const patient = look(begin('patient', true));
    for (let n = 0; n < 8; n++) answerNext();
    expect(await patient).toEqual([1, 1]);
  });
});
