import { inflateRawSync } from 'node:zlib';
import mammoth from 'mammoth';
import { BROKEN, EMPTY, NO_DOCUMENT, Unreadable } from './unreadable.ts';

/** What a document's texts may be when they are unpacked, pictures aside: some ten thousand pages. */
const MAX_UNPACKED_BYTES = 40_000_000;
const MAX_ENTRIES = 5_000;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  name: string;
  method: number;
  isEncrypted: boolean;
  packedBytes: number;
  /** Where its own header is. */
  at: number;
}

/**
 * A Word document as HTML, without its pictures.
 * @throws Unreadable
 */
export async function readDocx(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = entriesOf(buffer);
  if (!entries.some(({ name }) => name === 'word/document.xml')) throw new Unreadable(NO_DOCUMENT);
  refuseBomb(buffer, entries);
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
    );
    if (!value.replace(/<[^>]*>/g, '').trim()) throw new Unreadable(EMPTY);
    return `<!doctype html><body>${value}</body>`;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(BROKEN);
  }
}

/** What the archive says it holds (APPNOTE.TXT 4.3.12 and 4.3.16). */
function entriesOf(zip: Buffer): Entry[] {
  // The end record is 22 bytes long, and a comment of at most 65,535 follows.
  let end = zip.length - 22;
  while (end >= 0 && end > zip.length - 65_558 && zip.readUInt32LE(end) !== END) end--;
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Unreadable(BROKEN);
  const count = zip.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new Unreadable(NO_DOCUMENT);
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let n = 0; n < count; n++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== ENTRY) throw new Unreadable(BROKEN);
    const nameBytes = zip.readUInt16LE(at + 28);
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameBytes),
      method: zip.readUInt16LE(at + 10),
      isEncrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      packedBytes: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/** Unpacks everything that will be unpacked, up to the limit: what an archive says of its sizes may be a lie. */
function refuseBomb(zip: Buffer, entries: readonly Entry[]): void {
  let left = MAX_UNPACKED_BYTES;
  for (const { name, method, isEncrypted, packedBytes, at } of entries) {
    if (isEncrypted) throw new Unreadable('This document is protected by a password. Save it without one.');
    // Pictures are not unpacked, as nobody reads them.
    if (name.startsWith('word/media/') || packedBytes === 0) continue;
    if (at + 30 > zip.length) throw new Unreadable(BROKEN);
    const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    const packed = zip.subarray(from, from + packedBytes);
    if (method === DEFLATED) left -= unpackedBytes(packed, left);
    else if (method === STORED) left -= packed.length;
    else throw new Unreadable(BROKEN);
    if (left <= 0) throw tooLarge();
  }
}

function unpackedBytes(packed: Buffer, most: number): number {
  try {
    return inflateRawSync(packed, { maxOutputLength: most }).byteLength;
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new Unreadable(BROKEN);
  }
}

const tooLarge = () =>
  new Unreadable('This document is far too large when it is unpacked. Divide it into several files.');
