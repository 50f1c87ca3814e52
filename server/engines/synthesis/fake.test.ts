import { describe, expect, it } from 'vitest';
import { createFakeSynthesis } from './fake.ts';
import { readFrames } from './mp3-frames.ts';

describe('createFakeSynthesis', () => {
  it('makes a playable file as long as the text, the same every time', async () => {
    const voice = createFakeSynthesis();
    const short = await voice.synthesize({ text: 'Hi.', urgency: 'first' });
    const long = await voice.synthesize({ text: 'Thanks for calling us today.', urgency: 'later' });
    expect(readFrames(short.audio).length).toBeGreaterThan(1);
    expect(long.durationMs).toBeGreaterThan(short.durationMs);
    expect(await createFakeSynthesis().synthesize({ text: 'Hi.', urgency: 'first' })).toEqual(short);
    expect(voice.spoken).toEqual(['Hi.', 'Thanks for calling us today.']);
  });

  it('gives up with the reason of its caller', async () => {
    const reason = new Error('hung up');
    await expect(
      createFakeSynthesis().synthesize({ text: 'Hi.', urgency: 'first', signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});
