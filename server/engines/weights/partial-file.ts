import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const READ_BYTES = 256 * 1024;

type Algorithm = 'sha256' | 'sha512';

/** A file that grows over several attempts, with a running checksum of its content. */
export class PartialFile {
  #file: FileHandle;
  readonly #algorithm: Algorithm;
  #hash: Hash;
  #bytes = 0;

  private constructor(file: FileHandle, algorithm: Algorithm) {
    this.#file = file;
    this.#algorithm = algorithm;
    this.#hash = createHash(algorithm);
  }

  /** Opens or creates the file and reads its content for the checksum. */
  static async open(path: string, algorithm: Algorithm, signal: AbortSignal): Promise<PartialFile> {
    const partial = new PartialFile(await open(path, 'a+'), algorithm);
    try {
      await partial.#readThrough(signal);
      return partial;
    } catch (error) {
      await partial.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(chunk: Uint8Array): Promise<void> {
    await this.#file.appendFile(chunk);
    this.#hash.update(chunk);
    this.#bytes += chunk.byteLength;
  }

  async startOver(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash(this.#algorithm);
    this.#bytes = 0;
  }

  /** Checksum of the whole content: base64 for sha512, as in npm, hexadecimal for sha256. */
  checksum(): string {
    return this.#hash.copy().digest(this.#algorithm === 'sha512' ? 'base64' : 'hex');
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #readThrough(signal: AbortSignal): Promise<void> {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, this.#bytes);
      if (bytesRead === 0) return;
      this.#hash.update(buffer.subarray(0, bytesRead));
      this.#bytes += bytesRead;
    }
  }
}
