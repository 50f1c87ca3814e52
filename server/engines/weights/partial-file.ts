import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const READ_BYTES = 256 * 1024;

/** A file that grows over several attempts and knows the sha512 of all that is in it. */
export class PartialFile {
  #file: FileHandle;
  #hash: Hash = createHash('sha512');
  #bytes = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens or creates the file and reads through what is in it. */
  static async open(path: string, signal: AbortSignal): Promise<PartialFile> {
    const partial = new PartialFile(await open(path, 'a+'));
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
    this.#hash = createHash('sha512');
    this.#bytes = 0;
  }

  /** Base64 sha512 of the whole content. */
  sha512(): string {
    return this.#hash.copy().digest('base64');
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
