import { type Reader, walk } from './walk.ts';

/** Measures the playing time of a streamed recording. */
export interface LengthMeter {
  take(piece: Uint8Array): void;
  /** Milliseconds, after the end of the stream; null if unknown. */
  durationMs(): number | null;
}

const meter = (reader: Reader, durationMs: () => number | null): LengthMeter => ({
  take: walk(reader),
  durationMs: () => {
    const found = durationMs();
    return found !== null && Number.isFinite(found) && found > 0 ? Math.round(found) : null;
  },
});

/** Ogg (RFC 3533): every page gives the number of samples at its end; Opus counts 48,000 a second (RFC 7845). */
export function oggLength(): LengthMeter {
  let rate = 0;
  let preSkip = 0;
  let last = 0n;
  function* read(): Reader {
    for (let isFirst = true; ; isFirst = false) {
      const page = yield { take: 27 };
      if (page.toString('latin1', 0, 4) !== 'OggS') return;
      const granule = page.readBigInt64LE(6);
      if (granule > last) last = granule;
      const table = yield { take: page[26] ?? 0 };
      let body = table.reduce((sum, segment) => sum + segment, 0);
      if (isFirst && body >= 19) {
        const head = yield { take: 19 };
        body -= 19;
        if (head.toString('latin1', 0, 8) === 'OpusHead') {
          rate = 48_000;
          preSkip = head.readUInt16LE(10);
        } else if (head.toString('latin1', 0, 7) === '\x01vorbis') rate = head.readUInt32LE(12);
      }
      yield { skip: body };
    }
  }
  return meter(read(), () => (rate > 0 ? ((Number(last) - preSkip) * 1_000) / rate : null));
}

/** The elements of Matroska (RFC 9559) to read; those in `opened` are entered. */
const EBML = {
  segment: 0x18538067,
  info: 0x1549a966,
  cluster: 0x1f43b675,
  blockGroup: 0xa0,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  block: 0xa1,
} as const;
const opened: ReadonlySet<number> = new Set([EBML.segment, EBML.info, EBML.cluster, EBML.blockGroup]);

/**
 * WebM: streaming recorders write no length at the beginning; the last block gives its start, and is assumed to be as
 * long as the one before.
 */
export function webmLength(): LengthMeter {
  let nanosecondsPerTick = 1_000_000;
  let said = 0;
  let cluster = 0;
  let [last, before] = [0, 0];
  function* read(): Reader {
    for (;;) {
      const id = yield* element(true);
      const size = yield* element(false);
      if (opened.has(id)) continue;
      // Only an entered element may have an unknown size.
      if (size === null) return;
      if (id === EBML.timestampScale) nanosecondsPerTick = unsigned(yield { take: size });
      else if (id === EBML.timestamp) cluster = unsigned(yield { take: size });
      else if (id === EBML.duration) said = real(yield { take: size });
      else if ((id === EBML.simpleBlock || id === EBML.block) && size > 4) {
        const head = yield { take: 4 };
        // After the track number, one byte for the first 127 tracks, comes the time relative to the cluster.
        const at = cluster + head.readInt16BE(1);
        if (at > last) [before, last] = [last, at];
        yield { skip: size - 4 };
      } else yield { skip: size };
    }
  }
  const ticks = () => said || (last > 0 ? last + (last - before) : 0);
  return meter(read(), () => (ticks() * nanosecondsPerTick) / 1_000_000);
}

/** A number of variable length (RFC 8794): an id includes its marker, a size does not. Null: an unknown size. */
function element(isId: true): Generator<{ take: number }, number, Buffer>;
function element(isId: false): Generator<{ take: number }, number | null, Buffer>;
function* element(isId: boolean): Generator<{ take: number }, number | null, Buffer> {
  const first = (yield { take: 1 })[0] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8) throw new RangeError('This is no element.');
  const rest = yield { take: length - 1 };
  const mark = 0x80 >> (length - 1);
  const isUnknown = !isId && first === (mark << 1) - 1 && rest.every((byte) => byte === 0xff);
  if (isUnknown) return null;
  return rest.reduce((value, byte) => value * 256 + byte, isId ? first : first & ~mark);
}

const unsigned = (bytes: Buffer) => bytes.reduce((value, byte) => value * 256 + byte, 0);
const real = (bytes: Buffer) =>
  bytes.length === 8 ? bytes.readDoubleBE() : bytes.length === 4 ? bytes.readFloatBE() : 0;

const boxes: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'mvex', 'moof', 'traf']);
const looked: ReadonlySet<string> = new Set(['mvhd', 'mdhd', 'trex', 'tfhd', 'trun']);

/** MP4 (ISO/IEC 14496-12): its header gives the length, or, in a streamed file, the sum of the fragments. */
export function mp4Length(): LengthMeter {
  const movie = { rate: 0, length: 0 };
  let rate = 0;
  let usual = 0;
  let usualInPiece = 0;
  let streamed = 0;
  function* read(): Reader {
    for (;;) {
      const head = yield { take: 8 };
      const type = head.toString('latin1', 4, 8);
      let body = head.readUInt32BE(0) - 8;
      if (body === -7) body = Number((yield { take: 8 }).readBigUInt64BE()) - 16;
      if (body < 0) return;
      if (boxes.has(type)) continue;
      if (!looked.has(type)) {
        yield { skip: body };
        continue;
      }
      const box = yield { take: body };
      if (type === 'mvhd') Object.assign(movie, times(box));
      else if (type === 'mdhd') rate ||= times(box).rate;
      else if (type === 'trex') usual = box.readUInt32BE(12);
      else if (type === 'tfhd') usualInPiece = usualOf(box) ?? usual;
      else streamed += runLength(box, usualInPiece);
    }
  }
  return meter(read(), () =>
    movie.length > 0 ? (movie.length * 1_000) / movie.rate : rate > 0 ? (streamed * 1_000) / rate : null,
  );
}

/** Ticks a second and total ticks, from a movie's or a track's header; 0 for an unknown length. */
function times(box: Buffer): { rate: number; length: number } {
  if (box[0] === 1) {
    const length = box.readBigUInt64BE(24);
    return { rate: box.readUInt32BE(20), length: length === 0xffffffffffffffffn ? 0 : Number(length) };
  }
  const length = box.readUInt32BE(16);
  return { rate: box.readUInt32BE(12), length: length === 0xffffffff ? 0 : length };
}

/** The default sample length of this fragment, if given: after the track number and the fields of its flags. */
function usualOf(box: Buffer): number | null {
  const flags = box.readUIntBE(1, 3);
  if ((flags & 0x08) === 0) return null;
  return box.readUInt32BE(8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0));
}

function runLength(box: Buffer, usual: number): number {
  const flags = box.readUIntBE(1, 3);
  const samples = box.readUInt32BE(4);
  if ((flags & 0x100) === 0) return samples * usual;
  const start = 8 + (flags & 0x01 ? 4 : 0) + (flags & 0x04 ? 4 : 0);
  const step = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  let length = 0;
  for (let sample = 0; sample < samples; sample++) length += box.readUInt32BE(start + sample * step);
  return length;
}
