/** Samples per voice-activity decision: 32 ms at 16 kHz. */
export const FRAME = 512;

/** Shorter speech, in frames, is a click, a cough or a sneeze; the shortest "No." has eight. */
const LEAST_SPEECH = 6;
/** A silence of at least this many frames (0.5 s) is cut out, except for the margins around it. */
const PAUSE = 16;
/** Frames kept before and after speech: the detector notices a soft beginning some 100 ms late. */
const MARGIN_BEFORE = 8;
const MARGIN_AFTER = 6;
/** The longest piece, in samples: 14 s. Moonshine was trained on up to 30 s, but drops words beyond some 20. */
const LONGEST = 14 * 16_000;
/** A piece that must be cut within speech is cut at the quietest moment of its last so many samples. */
const SEARCH = 6 * 16_000;
const MOMENT = 800;

interface Range {
  start: number;
  end: number;
}

/**
 * Selects the speech in a recording, in pieces that a recognizer handles well. Silence in front is removed,
 * since Moonshine often recognises nothing after it ("Hello." after a second of silence gives ''). Equal
 * beginnings of two recordings give equal first pieces.
 * @param samples at 16 kHz
 * @param speech voice activity of each whole frame
 * @returns the pieces in order; none without speech
 */
export function speechPieces(samples: Float32Array, speech: readonly boolean[]): Float32Array[] {
  if (speech.filter(Boolean).length < LEAST_SPEECH) return [];
  const pieces: Float32Array[] = [];
  let joined: Range[] = [];
  let length = 0;
  for (const range of spokenRanges(samples.length, speech).flatMap((range) => cutLong(samples, range))) {
    const more = range.end - range.start;
    if (joined.length > 0 && length + more > LONGEST) {
      pieces.push(join(samples, joined));
      joined = [];
      length = 0;
    }
    joined.push(range);
    length += more;
  }
  return [...pieces, join(samples, joined)];
}

/** Stretches of speech with their margins, in samples; none touch. */
function spokenRanges(samples: number, speech: readonly boolean[]): Range[] {
  const ranges: Range[] = [];
  for (const [frame, speaks] of speech.entries()) {
    if (!speaks) continue;
    const start = Math.max(0, frame - MARGIN_BEFORE) * FRAME;
    const end = Math.min(samples, (frame + 1 + MARGIN_AFTER) * FRAME);
    const last = ranges.at(-1);
    if (last && start - last.end <= (PAUSE - MARGIN_BEFORE - MARGIN_AFTER) * FRAME) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges;
}

/** Divides a stretch that is too long at its quietest moments. */
function cutLong(samples: Float32Array, range: Range): Range[] {
  const parts: Range[] = [];
  let { start } = range;
  while (range.end - start > LONGEST) {
    const cut = quietestMoment(samples, start + LONGEST - SEARCH, start + LONGEST);
    parts.push({ start, end: cut });
    start = cut;
  }
  return [...parts, { start, end: range.end }];
}

function quietestMoment(samples: Float32Array, from: number, to: number): number {
  let quietest = from;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at + MOMENT <= to; at += MOMENT / 2) {
    let energy = 0;
    for (let index = at; index < at + MOMENT; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy < least) {
      least = energy;
      quietest = at + MOMENT / 2;
    }
  }
  return quietest;
}

function join(samples: Float32Array, ranges: readonly Range[]): Float32Array {
  const whole = new Float32Array(ranges.reduce((sum, { start, end }) => sum + end - start, 0));
  let at = 0;
  for (const { start, end } of ranges) {
    whole.set(samples.subarray(start, end), at);
    at += end - start;
  }
  return whole;
}
