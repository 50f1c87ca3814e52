import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { activeLevel, levelOf } from './sounds.ts';
import { CLIP_RATE, type Clip, clipNamed, clipsOf, soundOf, speechSet } from './speech-set.ts';

const samplesAt = (ms: number) => Math.round((ms * CLIP_RATE) / 1_000);

describe('the speech set', () => {
  it('has a file for every clip and a clip for every file', () => {
    const files = readdirSync(new URL('./clips', import.meta.url)).sort();
    expect(files).toEqual(speechSet.map(({ id }) => `${id}.mp3`).sort());
  });

  it('is large enough in every kind for the figures it is made for', () => {
    expect(clipsOf('sentence').length).toBeGreaterThanOrEqual(60);
    expect(clipsOf('pause', 'held-out').length).toBeGreaterThanOrEqual(60);
    expect(clipsOf('backchannel').length).toBeGreaterThanOrEqual(20);
    expect(clipsOf('interruption').length).toBeGreaterThanOrEqual(20);
    expect(clipsOf('sentence').filter(({ person }) => person).length).toBeGreaterThanOrEqual(10);
  });

  it('shares no voice of an engine and no sentence between what is tuned on and what is held out', () => {
    const made = (clip: Clip) => !clip.person && clip.source !== 'this repository' && clip.voice !== null;
    const of = (split: Clip['split'], what: 'voice' | 'text') =>
      new Set(
        speechSet.flatMap((clip) =>
          clip.split === split && made(clip) && clip.kind !== 'backchannel' ? [clip[what]] : [],
        ),
      );
    for (const what of ['voice', 'text'] as const)
      expect([...of('dev', what)].filter((one) => of('held-out', what).has(one))).toEqual([]);
  });

  it.each(['d-sentence-01', 'd-pause-06', 'jfk', 'number-2'])(
    'knows where %s begins, thinks and ends',
    async (id) => {
      const clip = clipNamed(id);
      const sound = await soundOf(clip);
      expect(Math.abs(sound.length - samplesAt(clip.durationMs))).toBeLessThan(samplesAt(2));
      const level = activeLevel(sound);
      for (const { fromMs, toMs } of clip.pauses)
        expect(levelOf(sound.subarray(samplesAt(fromMs), samplesAt(toMs)))).toBeLessThan(level / 10);
      expect(levelOf(sound.subarray(samplesAt(clip.endMs)))).toBeLessThan(level / 10);
      expect(levelOf(sound.subarray(samplesAt(clip.endMs - 300), samplesAt(clip.endMs)))).toBeGreaterThan(
        level / 30,
      );
    },
  );
});
