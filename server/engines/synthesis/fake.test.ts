import { describe, expect, it } from 'vitest';
import { allOf, spoken } from '../../../tests/support/spoken.ts';
import { createFakeSynthesis } from './fake.ts';

describe('createFakeSynthesis', () => {
  it('makes a sound as long as the text, the same every time', async () => {
    const voice = createFakeSynthesis();
    const short = await spoken(voice, { text: 'Hi.', urgency: 'first' });
    const long = await spoken(voice, { text: 'Thanks for calling us today.', urgency: 'later' });
    expect(long.durationMs).toBeGreaterThan(short.durationMs);
    expect(await spoken(createFakeSynthesis(), { text: 'Hi.', urgency: 'first' })).toEqual(short);
    expect(voice.spoken).toEqual(['Hi.', 'Thanks for calling us today.']);
  });

  it('gives up with the reason of its caller', async () => {
    const reason = new Error('hung up');
    await expect(
      allOf(
        createFakeSynthesis().synthesize({
          text: 'Hi.',
          urgency: 'first',
          signal: AbortSignal.abort(reason),
        }),
      ),
    ).rejects.toBe(reason);
  });
});
