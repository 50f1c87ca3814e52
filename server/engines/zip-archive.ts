import { inflateRawSync } from 'node:zlib';
import { codeOf } from '#server/lib/error-code';
import type { Unpacked } from './unpacked.ts';
import { BROKEN, NO_DOCUMENT, Unreadable } from './unreadable.ts';

const MAX_ENTRIES = 5_000;

const END = 0x06054b50;
const END_BYTES = 22;
const ZIP64 = 0x07064b50;
const ZIP64_BYTES = 20;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  method: number;
  packedBytes: number;
  /** Offset of its local header. */
  at: number;
}

/** Reads single files of a ZIP archive (APPNOTE.TXT 4.3), each unpacked on request and counted. */
export class ZipArchive {
  readonly #zip: Buffer;
  readonly #unpacked: Unpacked;
  readonly #entries: ReadonlyMap<string, Entry>;

  /** @throws Unreadable if it is broken, encrypted or ambiguous */
  constructor(bytes: Uint8Array, unpacked: Unpacked) {
    this.#zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#unpacked = unpacked;
    this.#entries = entriesOf(this.#zip);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  names(): string[] {
    return [...this.#entries.keys()];
  }

  /** @throws Unreadable if the file is missing, broken or too large */
  read(name: string): Uint8Array {
    const entry = this.#entries.get(name);
    if (!entry || entry.at + 30 > this.#zip.length) throw new Unreadable(BROKEN);
    const { at, packedBytes, method } = entry;
    const from = at + 30 + this.#zip.readUInt16LE(at + 26) + this.#zip.readUInt16LE(at + 28);
    const packed = this.#zip.subarray(from, from + packedBytes);
    const bytes = method === STORED ? packed : method === DEFLATED ? this.#inflate(packed) : null;
    if (!bytes) throw new Unreadable(BROKEN);
    this.#unpacked.take(bytes.byteLength);
    return bytes;
  }

  #inflate(packed: Buffer): Buffer {
    const { left } = this.#unpacked;
    try {
      return inflateRawSync(packed, { maxOutputLength: left + 1 });
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') this.#unpacked.take(left + 1);
      throw new Unreadable(BROKEN);
    }
  }
}

function entriesOf(zip: Buffer): Map<string, Entry> {
  // A comment of at most 65,535 bytes may follow the end record.
  let end = zip.length - END_BYTES;
  while (end >= 0 && end > zip.length - END_BYTES - 65_536 && zip.readUInt32LE(end) !== END) end--;
  if (end < 0 || zip.readUInt32LE(end) !== END) throw new Unreadable(BROKEN);
  // A ZIP64 archive has a second list of files, which other readers might follow.
  if (end >= ZIP64_BYTES && zip.readUInt32LE(end - ZIP64_BYTES) === ZIP64)
    throw new Unreadable(
      'This document is packed for files of more than 4 GB (ZIP64). Save it as DOCX again.',
    );
  const count = zip.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new Unreadable(NO_DOCUMENT);
  const entries = new Map<string, Entry>();
  let at = zip.readUInt32LE(end + 16);
  for (let n = 0; n < count; n++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== ENTRY) throw new Unreadable(BROKEN);
    const isEncrypted = (zip.readUInt16LE(at + 8) & 1) === 1;
    if (isEncrypted) throw new Unreadable('This document is protected by a password. Save it without one.');
    const nameBytes = zip.readUInt16LE(at + 28);
    entries.set(zip.toString('utf8', at + 46, at + 46 + nameBytes), {
      method: zip.readUInt16LE(at + 10),
      packedBytes: zip.readUInt32LE(at + 20),
      at: zip.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
