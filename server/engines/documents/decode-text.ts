import { NO_DOCUMENT, Unreadable } from '#server/engines/unreadable';

/** The share of control characters above which a file is not text. */
const STRAY = 0.002;
/** Windows-1252 from 0x80 on; Node.js 20 decodes Latin-1 instead, which has no characters there. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
/** Bytes that are examined to tell the encoding. */
const SAMPLE_BYTES = 64_000;

/**
 * Decodes a text whose encoding is unknown or wrongly declared: by its byte order mark, as UTF-8 if valid, as
 * UTF-16 if every second byte is zero, by the declared charset, else as Windows-1252 (a superset of Latin-1).
 * @param charset as declared by a server or by the page
 * @throws Unreadable if the bytes are not text
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const text = decode(bytes, charset).replaceAll('\0', '');
  const sample = text.slice(0, SAMPLE_BYTES);
  const odd = sample.match(/[^\P{Cc}\t\n\r\f\v]|\uFFFD/gu)?.length ?? 0;
  if (odd > Math.max(1, sample.length * STRAY)) throw new Unreadable(NO_DOCUMENT);
  return text;
}

function decode(bytes: Uint8Array, charset: string | undefined): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  const zeros = zeroBytes(bytes);
  if (!isMarked && zeros.odd > 0.3 && zeros.even < 0.05) return new TextDecoder('utf-16le').decode(bytes);
  if (!isMarked && zeros.even > 0.3 && zeros.odd < 0.05) return new TextDecoder('utf-16be').decode(bytes);
  if (zeros.odd + zeros.even > 0.01) throw new Unreadable(NO_DOCUMENT);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const encoding = known(charset) ?? 'windows-1252';
    const text = new TextDecoder(encoding).decode(bytes);
    return encoding === 'windows-1252'
      ? text.replace(/[\x80-\x9f]/g, (letter) => WINDOWS[letter.charCodeAt(0) - 0x80] ?? letter)
      : text;
  }
}

/**
 * Shares of zero bytes at odd and even offsets: in UTF-16 one of two bytes is often zero, in other encodings
 * none.
 */
function zeroBytes(bytes: Uint8Array): { odd: number; even: number } {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let odd = 0;
  let even = 0;
  for (const [at, byte] of sample.entries())
    if (byte === 0) {
      if (at % 2 === 1) odd++;
      else even++;
    }
  const half = Math.max(1, sample.length / 2);
  return { odd: odd / half, even: even / half };
}

/** The charset label, if it exists and differs from the encodings tried already. */
function known(label: string | undefined): string | null {
  if (!label) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding === 'utf-8' ? null : encoding;
  } catch {
    return null;
  }
}
