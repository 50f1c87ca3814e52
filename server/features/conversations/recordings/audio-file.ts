import { type LengthMeter, mp4Length, oggLength, webmLength } from './container-lengths.ts';

/** The kind of a recording, recognised by its first bytes. */
export interface AudioFile {
  mediaType: 'audio/webm' | 'audio/ogg' | 'audio/mp4' | 'audio/wav' | 'audio/mpeg';
  /** The extension of a file name. */
  extension: string;
  /**
   * Playing time in milliseconds, if its head states it; null if the whole file must be read.
   * @param bytes length of the whole file
   */
  durationMs(bytes: number): number | null;
  /** For a kind whose head does not state it: measures the length while the file is streamed. */
  measure: (() => LengthMeter) | null;
  /** Whether a file of this length has only a header and no sound. */
  isEmpty(bytes: number): boolean;
}

/** The bytes that `tellAudio` looks at. */
export const HEAD_BYTES = 4_096;

/**
 * Recognises the containers that browsers record (WebM, Ogg, MP4, WAV), and MP3, by content. The file's name does not
 * matter; a film, a picture or a text is none of them.
 * @param head the first HEAD_BYTES of the file, or all of a smaller one
 */
export function tellAudio(head: Uint8Array): AudioFile | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES));
  return webm(bytes) ?? ogg(bytes) ?? mp4(bytes) ?? wav(bytes) ?? mp3(bytes);
}

const plain = (
  mediaType: AudioFile['mediaType'],
  extension: string,
  measure: AudioFile['measure'] = null,
): AudioFile => ({
  mediaType,
  extension,
  measure,
  durationMs: () => null,
  isEmpty: () => false,
});

/** Matroska (RFC 9559): an EBML header of the type `webm`, followed by the tracks, each with the name of its codec. */
function webm(head: Buffer): AudioFile | null {
  if (head.length < 40 || head.readUInt32BE(0) !== 0x1a45dfa3) return null;
  const start = head.toString('latin1', 0, 64);
  if (!start.includes('\x42\x82\x84webm') && !start.includes('\x42\x82\x88matroska')) return null;
  const text = head.toString('latin1');
  return /A_(?:OPUS|VORBIS|AAC|PCM)/.test(text) && !/V_(?:VP|AV1|MPEG)/.test(text)
    ? plain('audio/webm', 'webm', webmLength)
    : null;
}

/** Ogg (RFC 3533): the first page begins a stream, and its packet names the codec. */
function ogg(head: Buffer): AudioFile | null {
  if (head.toString('latin1', 0, 4) !== 'OggS' || head[4] !== 0 || ((head[5] ?? 0) & 0x02) === 0) return null;
  const packet = 27 + (head[26] ?? 0);
  return ['OpusHead', '\x01vorbis', '\x7fFLAC'].some(
    (name) => head.toString('latin1', packet, packet + name.length) === name,
  )
    ? plain('audio/ogg', 'ogg', oggLength)
    : null;
}

/**
 * Brands of MP4 files (ISO/IEC 14496-12); pictures (HEIC, AVIF) and QuickTime films share the format and have other
 * brands.
 */
const MP4_BRAND = /^(?:iso[m2-9]|mp4[12]|M4A |M4B |dash|cmf[2c]|avc1)$/;

function mp4(head: Buffer): AudioFile | null {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return null;
  if (!MP4_BRAND.test(head.toString('latin1', 8, 12))) return null;
  // A film has a "video handler"; a file that ends with its index does not show it here.
  return head.includes('vide', 16, 'latin1') ? null : plain('audio/mp4', 'm4a', mp4Length);
}

/** PCM, IEEE float, A-law, µ-law, extensible. */
const WAV_FORMATS = new Set([1, 3, 6, 7, 0xfffe]);

/** RIFF WAVE: chunks, of which `fmt ` gives the bytes per second and `data` the beginning of the sound. */
function wav(head: Buffer): AudioFile | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return null;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const body = at + 8;
    if (name === 'fmt ') {
      if (size < 16 || body + 16 > head.length) return null;
      const [format, channels, rate] = [
        head.readUInt16LE(body),
        head.readUInt16LE(body + 2),
        head.readUInt32LE(body + 4),
      ];
      bytesPerSecond = head.readUInt32LE(body + 8);
      if (!WAV_FORMATS.has(format) || channels < 1 || rate < 1 || bytesPerSecond < 1) return null;
    } else if (name === 'data') {
      if (bytesPerSecond === 0) return null;
      // A streaming recorder does not know the length and writes 0 or the largest number.
      const soundIn = (bytes: number) =>
        Math.max(0, Math.min(size || Number.POSITIVE_INFINITY, bytes - body));
      return {
        mediaType: 'audio/wav',
        extension: 'wav',
        measure: null,
        durationMs: (bytes) => Math.round((soundIn(bytes) / bytesPerSecond) * 1_000),
        isEmpty: (bytes) => soundIn(bytes) === 0,
      };
    }
    at = body + size + (size % 2);
  }
  return null;
}

const MPEG1_KBIT = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const MPEG2_KBIT = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const MPEG1_HZ = [44_100, 48_000, 32_000] as const;

interface Mp3Frame {
  bytes: number;
  samples: number;
  sampleRate: number;
  /** Position of a Xing or Info header in a first frame that has one. */
  tagAt: number;
}

/** A frame of layer III of MPEG-1, 2 or 2.5 (ISO/IEC 11172-3, 13818-3). AAC begins alike but names no layer. */
function mp3Frame(head: Buffer, at: number): Mp3Frame | null {
  if (at + 4 > head.length) return null;
  const header = head.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const isMono = ((header >>> 6) & 3) === 3;
  if (header >>> 21 !== 0x7ff || version === 1 || ((header >>> 17) & 3) !== 1) return null;
  const kbit = (version === 3 ? MPEG1_KBIT : MPEG2_KBIT)[(header >>> 12) & 15] ?? 0;
  const hz = MPEG1_HZ[(header >>> 10) & 3];
  if (kbit === 0 || hz === undefined) return null;
  const sampleRate = version === 3 ? hz : version === 2 ? hz / 2 : hz / 4;
  const samples = version === 3 ? 1_152 : 576;
  const padding = (header >>> 9) & 1;
  return {
    bytes: Math.floor(((samples / 8) * kbit * 1_000) / sampleRate) + padding,
    samples,
    sampleRate,
    tagAt: at + 4 + (version === 3 ? (isMono ? 17 : 32) : isMono ? 9 : 17),
  };
}

function mp3(head: Buffer): AudioFile | null {
  const start = head.toString('latin1', 0, 3) === 'ID3' ? id3Bytes(head) : 0;
  if (start === null) return null;
  // After a tag with a picture, the first frame is beyond the read bytes.
  if (start >= head.length && start > 0 && head.length === HEAD_BYTES) return plain('audio/mpeg', 'mp3');
  const first = mp3Frame(head, start);
  if (!first) return null;
  // Eleven set bits may be chance; a second frame right after the first one is not.
  const next = start + first.bytes;
  if (next + 4 <= head.length && !mp3Frame(head, next)) return null;
  const frames = xingFrames(head, first.tagAt);
  const durationMs = frames && Math.round((frames * first.samples * 1_000) / first.sampleRate);
  return { ...plain('audio/mpeg', 'mp3'), durationMs: () => durationMs };
}

/** Length of an ID3v2 tag, given in four bytes of seven bits. */
function id3Bytes(head: Buffer): number | null {
  const [a, b, c, d] = head.subarray(6, 10);
  if (a === undefined || b === undefined || c === undefined || d === undefined || (a | b | c | d) > 127)
    return null;
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d);
}

function xingFrames(head: Buffer, at: number): number | null {
  if (at + 12 > head.length || !['Xing', 'Info'].includes(head.toString('latin1', at, at + 4))) return null;
  return head.readUInt32BE(at + 4) & 1 ? head.readUInt32BE(at + 8) : null;
}
