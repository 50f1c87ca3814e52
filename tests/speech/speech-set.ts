import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { decodeMp3 } from '../support/decode-mp3.ts';

/** Sample rate of the clips, in Hz. */
export const CLIP_RATE = 16_000;

const clipSchema = z.object({
  id: z.string(),
  /** `dev` is for tuning; `held-out` only for figures. No voice is in both. */
  split: z.enum(['dev', 'held-out']),
  /**
   * `pause`: one turn with thinking pauses; `two-sentences`: one turn that could have ended at its pause.
   * `noise` and `music` have nothing to recognise.
   */
  kind: z.enum(['sentence', 'pause', 'two-sentences', 'backchannel', 'interruption', 'noise', 'music']),
  /** The spoken text as written; '' for noise. */
  text: z.string(),
  voice: z.string().nullable(),
  source: z.string(),
  licence: z.string(),
  /** A recording of a human being. */
  person: z.boolean().optional(),
  durationMs: z.number(),
  /**
   * Beginning of the sound (38 dB below its loudest 10 ms) and its true end (26 dB: some voices trail off in noise), as
   * decoded.
   */
  startMs: z.number(),
  endMs: z.number(),
  /** Thinking pauses of the speaker. */
  pauses: z.array(z.object({ fromMs: z.number(), toMs: z.number() })),
});
export type Clip = z.infer<typeof clipSchema>;
export type Split = Clip['split'];
type ClipKind = Clip['kind'];

/** All clips of the speech set, in the order of the manifest. */
export const speechSet: readonly Clip[] = z
  .object({ clips: z.array(clipSchema) })
  .parse(JSON.parse(readFileSync(new URL('./manifest.json', import.meta.url), 'utf8'))).clips;

export const clipsOf = (kind: ClipKind, split?: Split): Clip[] =>
  speechSet.filter((clip) => clip.kind === kind && (!split || clip.split === split));

/** @throws Error without a clip of this id */
export function clipNamed(id: string): Clip {
  const clip = speechSet.find((one) => one.id === id);
  if (!clip) throw new Error(`The speech set has no clip "${id}".`);
  return clip;
}

/** The sound of a clip: mono, -1 to 1, at CLIP_RATE. A new copy each time. */
export async function soundOf({ id }: Clip): Promise<Float32Array> {
  const { samples, sampleRate } = await decodeMp3(
    readFileSync(new URL(`./clips/${id}.mp3`, import.meta.url)),
  );
  if (samples.length === 0 || sampleRate !== CLIP_RATE)
    throw new Error(`The clip "${id}" cannot be decoded.`);
  return samples;
}
