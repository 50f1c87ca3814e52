export const MEDIA_TYPE = 'audio/mpeg';
/** The voice's rate, and also a rate of MPEG-2, so the voice needs no resampling. */
export const SAMPLE_RATE = 22_050;
/** Samples in one frame of MPEG-2 layer III. */
export const FRAME_SAMPLES = 576;
/** Encoder delay in samples (LAME's constant ENCDELAY), which decoders cut off. */
export const ENCODER_DELAY = 576;

const BITRATES_KBIT = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const HEADER_BYTES = 4;
const SIDE_INFO_BYTES = 9;
const TAG_OFFSET = HEADER_BYTES + SIDE_INFO_BYTES;
const TOC_ENTRIES = 100;
/** MPEG-2 layer III, no checksum, 56 kbit/s, 22.05 kHz, mono: the smallest frame that can hold the tag. */
const TAG_FRAME_HEADER = 0xfff370c4;
const HAS_FRAMES_BYTES_TOC_QUALITY = 0x0f;
const LAME_VBR = 4;

/** Duration of a number of samples, in milliseconds. */
export const toMs = (samples: number) => Math.round((samples * 1_000) / SAMPLE_RATE);

/** Offset and length of a frame, in bytes. */
interface Frame {
  start: number;
  bytes: number;
}

/**
 * Finds the frames of an MPEG-2 layer III stream at 22.05 kHz.
 * @throws RangeError at a position without a frame
 */
export function readFrames(stream: Uint8Array): Frame[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const frames: Frame[] = [];
  for (let start = 0; start + HEADER_BYTES <= stream.length; ) {
    const header = view.getUint32(start);
    const bytes = frameBytes(header);
    if (header >>> 20 !== 0xfff || bytes === 0) throw new RangeError('This is no MP3 stream of this engine.');
    frames.push({ start, bytes });
    start += bytes;
  }
  return frames;
}

function frameBytes(header: number): number {
  const kbit = BITRATES_KBIT[(header >>> 12) & 0xf] ?? 0;
  const padding = (header >>> 9) & 1;
  return kbit === 0 ? 0 : Math.floor(((FRAME_SAMPLES / 8) * kbit * 1_000) / SAMPLE_RATE) + padding;
}

/**
 * Puts a first frame before a stream. It states the length, the position of its parts and the number of
 * padding samples at both ends, so that decoders play exactly what was encoded and players can seek. Layout:
 * the Xing header with LAME's extension.
 * @param padding samples after the speech that a decoder cuts off
 */
export function withTag(stream: Uint8Array, frames: readonly Frame[], padding: number): Uint8Array {
  const tagBytes = frameBytes(TAG_FRAME_HEADER);
  const file = new Uint8Array(tagBytes + stream.length);
  file.set(stream, tagBytes);
  const view = new DataView(file.buffer);
  view.setUint32(0, TAG_FRAME_HEADER);
  let at = TAG_OFFSET;
  at = writeText(file, at, 'Xing');
  for (const value of [HAS_FRAMES_BYTES_TOC_QUALITY, frames.length, file.length]) {
    view.setUint32(at, value);
    at += 4;
  }
  for (let percent = 0; percent < TOC_ENTRIES; percent++) {
    const frame = frames[Math.floor((percent * frames.length) / TOC_ENTRIES)];
    file[at++] = Math.min(255, Math.floor(((tagBytes + (frame?.start ?? 0)) * 256) / file.length));
  }
  at += 4; // quality, unknown
  at = writeText(file, at, 'LAME3.100');
  file[at] = LAME_VBR;
  at += 1 + 1 + 8 + 1 + 1; // method, low-pass, replay gain, flags, bitrate
  const cut = (ENCODER_DELAY << 12) | Math.min(padding, 0xfff);
  file[at++] = (cut >>> 16) & 0xff;
  file[at++] = (cut >>> 8) & 0xff;
  file[at] = cut & 0xff;
  return file;
}

/** Whether a file begins with the frame that `withTag` writes. */
export function isTagged(file: Uint8Array): boolean {
  if (file.length < TAG_OFFSET + 4) return false;
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(0);
  return (
    header === TAG_FRAME_HEADER &&
    new TextDecoder().decode(file.subarray(TAG_OFFSET, TAG_OFFSET + 4)) === 'Xing'
  );
}

function writeText(file: Uint8Array, at: number, text: string): number {
  file.set(new TextEncoder().encode(text), at);
  return at + text.length;
}
