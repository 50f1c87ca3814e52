import { describe, expect, it } from 'vitest';
import type { ReplyEvent } from '#server/dialogue/contract';
import { door } from '../../../tests/support/scripted-engines.ts';
import { withFiller } from './filler.ts';
import type { ResponderEvent } from './responder.ts';

const sentence = (index: number, text: string, isLast = false): ReplyEvent => ({
  type: 'sentence',
  index,
  text,
  isLast,
});
const reply: ReplyEvent = { type: 'reply', text: 'One. Two.', citations: [], outcome: 'answered' };
const whole = [sentence(0, 'One.'), sentence(1, 'Two.', true), reply];

async function* comingAfter(opened: Promise<void>) {
  await opened;
  yield* whole;
}
const allOf = async (events: AsyncIterable<ResponderEvent>) => {
  const all: ResponderEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
};

describe('withFiller', () => {
  it('leaves a reply that comes soon as it is', async () => {
    expect(await allOf(withFiller(comingAfter(Promise.resolve()), 'One moment.', () => {}, 10_000))).toEqual(
      whole,
    );
  });

  it('begins a reply that is slow, and counts as its first sentence', async () => {
    const slow = door();
    const events = withFiller(comingAfter(slow.opened), 'One moment.', () => {}, 1);
    expect((await events.next()).value).toEqual(sentence(0, 'One moment.'));
    slow.open();
    expect(await allOf(events)).toEqual([
      sentence(1, 'One.'),
      sentence(2, 'Two.', true),
      { ...reply, text: 'One moment. One. Two.' },
    ]);
  });

  it('hands a failure on, before and after it', async () => {
    const failure = new Error('broken');
    // biome-ignore lint/correctness/useYield: it fails before anything is said
    async function* failing(): AsyncGenerator<ReplyEvent> {
      throw failure;
    }
    await expect(allOf(withFiller(failing(), 'One moment.', () => {}, 10_000))).rejects.toBe(failure);
    const late = door();
    async function* failingLate(): AsyncGenerator<ReplyEvent> {
      await late.opened;
      yield* failing();
    }
    const events = withFiller(failingLate(), 'One moment.', () => {}, 1);
    await events.next();
    late.open();
    await expect(events.next()).rejects.toBe(failure);
  });

  it('ends what it listens to when nobody listens any more', async () => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<ReplyEvent> {
      try {
        for (let n = 0; ; n++) yield sentence(n, 'More.');
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of withFiller(endless(), 'One moment.', () => {}, 10_000)) break;
    await expect.poll(() => isEnded).toBe(true);
  });
});
