/** Samples of one decision about speech: 32 ms at 16 kHz. */
export const FRAME = 512;

/** Less speech than this, in frames, is a click, a cough or a sneeze; the shortest "No." has eight. */
const LEAST_SPEECH = 6;
/** A silence of so many frames (0.5 s) or more is cut out; the margins of what stands around it remain. */
const PAUSE = 16;
/** Kept before and after speech, in frames: the detector notices a soft beginning some 100 ms late. */
const MARGIN_BEFORE = 8;
const MARGIN_AFTER = 6;
/** The longest piece, in samples: 14 s. Moonshine was trained on up to 30 s, but drops words beyond some 20. */
const LONGEST = 14 * 16_000;
/** Where a piece must be cut within speech, the quietest moment of so many samples before its longest end is looked for. */
const SEARCH = 6 * 16_000;
const MOMENT = 800;

interface Range {
  start: number;
  end: number;
}

/**
 * What of a recording a recognizer should hear: speech without the silence around it, before which Moonshine often hears
 * nothing at all ("Hello." after a second of silence gives ''), in pieces that it hears well. Equal beginnings of two
 * recordings give equal first pieces.
 * @param samples at 16 kHz
 * @param speech for every whole frame, whether somebody speaks in it
 * @returns the pieces in order; none when nobody speaks
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

/** Stretches of speech with their margins, in samples; no two touch. */
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
