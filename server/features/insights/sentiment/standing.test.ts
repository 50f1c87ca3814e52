import { describe, expect, it } from 'vitest';
import type { Sentiment } from '#shared/conversations';
import { type FeltMessage, felt, standingOf } from './standing.ts';

const said = (content: string, label: Sentiment, score = 0.9): FeltMessage => felt(content, { label, score });
const labelOf = (...messages: FeltMessage[]) => standingOf(messages).label;

describe('the label of a conversation', () => {
  it('is neutral when nothing was said', () => {
    expect(standingOf([])).toEqual({ label: 'neutral', score: 1 });
  });

  it('is that of its only message', () => {
    for (const label of ['positive', 'neutral', 'negative', 'urgent'] as const)
      expect(labelOf(said('Something.', label))).toBe(label);
  });

  it('follows how the customer stands at the end', () => {
    expect(labelOf(said('Where is it?', 'neutral'), said('Terrible.', 'negative'))).toBe('negative');
    expect(labelOf(said('When are you open?', 'neutral'), said('How kind of you!', 'positive'))).toBe(
      'positive',
    );
    expect(
      labelOf(said('I love it.', 'positive'), said('Now it broke.', 'negative'), said('Awful.', 'negative')),
    ).toBe('negative');
  });

  it('forgets praise sooner than it forgets what came after', () => {
    const messages = [
      said('I love your shop.', 'positive'),
      said('But the jacket ripped on day one.', 'negative'),
      said('Can I send it back?', 'neutral'),
    ];
    expect(labelOf(...messages)).toBe('negative');
  });

  it('keeps a complaint through the plain answers that follow it', () => {
    const answers = ['It is 4471.', 'Yes.', 'The blue one.'].map((text) => said(text, 'neutral'));
    expect(labelOf(said('This is the wrong lamp, I am annoyed.', 'negative'), ...answers)).toBe('negative');
  });

  it('makes nothing positive of courtesy alone', () => {
    expect(labelOf(said('thank you, goodbye', 'positive'))).toBe('neutral');
    expect(labelOf(said('When do you open?', 'neutral'), said('Thanks, bye!', 'positive'))).toBe('neutral');
    expect(labelOf(said('You are wonderful, thank you!', 'positive'), said('bye', 'neutral'))).toBe(
      'positive',
    );
  });

  it('takes bare thanks after a complaint as courtesy, not as joy', () => {
    expect(labelOf(said('Broken again.', 'negative'), said('ok thanks', 'positive'))).toBe('neutral');
  });

  it('leaves nothing bad behind a matter that is settled', () => {
    expect(labelOf(said('Broken again!', 'negative'), said('It works now, thank you!', 'positive'))).toBe(
      'positive',
    );
    expect(labelOf(said('Broken again!', 'negative'), said('ok it is fixed now', 'neutral'))).toBe('neutral');
  });

  it('stays urgent while something urgent is not settled, whatever else is said', () => {
    const stolen = said('My card was stolen.', 'urgent', 0.8);
    expect(standingOf([stolen, said('It ends in 4471.', 'neutral'), said('ok thanks', 'positive')])).toEqual({
      label: 'urgent',
      score: 0.8,
    });
    expect(labelOf(stolen, said('Thank you, please hurry!', 'positive'))).toBe('urgent');
    expect(labelOf(stolen, said('It is still not blocked, is it?', 'negative'))).toBe('urgent');
  });

  it('is urgent no more once that is settled, and again when it comes back', () => {
    const stolen = said('My card was stolen.', 'urgent');
    const settled = said('The card is blocked now, thank you so much.', 'positive');
    expect(labelOf(stolen, settled)).toBe('positive');
    expect(labelOf(stolen, said('Never mind, I found it.', 'neutral'))).toBe('neutral');
    expect(labelOf(stolen, settled, said('And now there is another charge!', 'urgent'))).toBe('urgent');
  });

  it('scores between 0 and 1', () => {
    const moods = [said('a', 'positive', 1), said('b', 'negative', 1), said('c', 'neutral', 0.4)];
    for (let n = 0; n <= 3; n++) {
      const { score } = standingOf(moods.slice(0, n));
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });
});

describe('a matter is settled', () => {
  it.each([
    'It works now',
    'that fixed it, cheers',
    'all good now, thanks again',
    'Never mind, found it',
    'The site is back online',
    'nothing else, all sorted',
  ])('by %j', (text) => expect(said(text, 'neutral').settles).toBe(true));

  it.each([
    'Is it fixed?',
    'it still is not solved',
    "That doesn't work",
    'ok',
    'Call me when it works',
    'ok thank you',
  ])('not by %j', (text) => expect(said(text, 'positive').settles).toBe(false));

  it('not by a complaint about what was done, nor by anything urgent', () => {
    expect(said('You blocked my card for nothing at all', 'negative').settles).toBe(false);
    expect(said('It is fixed', 'urgent').settles).toBe(false);
  });
});
