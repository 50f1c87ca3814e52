import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ears, earsAreIn, openEars } from './ears.ts';
import { doorSlam, inNoise, keyClicks, overTelephone, pinkNoise, silence, whiteNoise } from './sounds.ts';
import { CLIP_RATE, clipNamed, soundOf } from './speech-set.ts';
import { inRoom, perform, type Scene, type Told } from './stage.ts';
import { wordErrors } from './word-errors.ts';

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const hasEars = await earsAreIn(models);
if (!hasEars) process.stderr.write(`Tests of the real ears are skipped: no whole ears in "${models}".\n`);

describe.skipIf(!hasEars)('the real ears', () => {
  let ears: Ears;
  beforeAll(async () => {
    ears = await openEars(models);
  }, 120_000);
  afterAll(() => ears?.close());

  const hear = (samples: Float32Array) => ears.recognition.recognize({ samples, urgency: 'final' });
  const speech = async (id: string) => inRoom(await soundOf(clipNamed(id)), 300, 300);
  /**
   * The same every time, whatever else this machine does: a recognition takes 60 ms and 35 ms for each second of sound.
   */
  const play = (scene: Scene): Promise<Told[]> =>
    perform(scene, {
      ...ears,
      latency: (_, { samples }) => 60 + (35 * samples.length) / CLIP_RATE,
    });

  it.each(['d-sentence-03', 'd-sentence-10', 'd-sentence-16', 'd-sentence-18', 'jfk', 'prompt-vm-nonumber'])(
    'understand what %s says',
    async (id) => {
      const clip = clipNamed(id);
      const { errors, words } = wordErrors(clip.text, await hear(await speech(id)));
      expect(errors / words).toBeLessThan(0.3);
    },
  );

  it('understand a question in noise and over a telephone', async () => {
    const clip = clipNamed('d-sentence-02');
    const sound = await speech(clip.id);
    for (const worse of [inNoise(sound, pinkNoise(3_000, 5), 10), overTelephone(sound)]) {
      const { errors, words } = wordErrors(clip.text, await hear(worse));
      expect(errors / words).toBeLessThan(0.5);
    }
  });

  it.each<[string, () => Promise<Float32Array> | Float32Array]>([
    ['silence', () => silence(3_000)],
    ['white noise', () => whiteNoise(2_000, 3)],
    ['pink noise', () => pinkNoise(2_000, 3)],
    ['a keyboard', () => keyClicks(2_000, 3)],
    ['a door', () => doorSlam(3)],
    ['a cough', () => speech('cough-man')],
    ['music', () => speech('music-1')],
  ])('hear no words in %s', async (_, sound) => {
    expect(await hear(await sound())).toBe('');
  });

  it.each(['d-pause-01', 'd-pause-02', 'd-pause-13'])(
    'wait while the customer thinks in %s, and take the whole turn once',
    async (id) => {
      const clip = clipNamed(id);
      const told = await play({ sound: inRoom(await soundOf(clip), 800, 4_000) });
      const utterances = told.flatMap((one) => (one.what === 'utterance' ? [one] : []));
      expect(utterances).toHaveLength(1);
      expect(utterances[0]?.atMs).toBeGreaterThan(800 + clip.endMs);
      expect(wordErrors(clip.text, utterances[0]?.utterance.text ?? '').errors).toBeLessThan(5);
    },
  );

  it.each([
    ['d-backchannel-03', 'a back-channel'],
    ['hum-1', 'a hum'],
    ['cough-man', 'a cough'],
    ['door-close', 'a door'],
  ])('let the agent go on over %s, %s', async (id) => {
    const told = await overTheAgent(id);
    expect(told.filter(({ what }) => what === 'interrupt' || what === 'utterance')).toEqual([]);
    expect(told.filter(({ what }) => what === 'hold')).toHaveLength(
      told.filter(({ what }) => what === 'release').length,
    );
  });

  it.each(['d-interruption-02', 'd-interruption-07'])('give the floor to who says %s', async (id) => {
    const told = await overTheAgent(id);
    expect(told.map(({ what }) => what)).toContain('hold');
    expect(told.map(({ what }) => what)).toContain('interrupt');
    const said = told.flatMap((one) => (one.what === 'utterance' ? [one.utterance.text] : []));
    expect(said).toHaveLength(1);
  });

  async function overTheAgent(id: string): Promise<Told[]> {
    return play({
      sound: inRoom(await soundOf(clipNamed(id)), 2_000, 3_000),
      agent: {
        text: 'You can return any item within thirty days, as long as it is unused and in its original packaging.',
        fromMs: 300,
        durationMs: 8_000,
      },
    });
  }
});
