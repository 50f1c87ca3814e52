import { Readable } from 'node:stream';
import type { MediaStore } from './contract.ts';
import { checkedKey } from './keys.ts';

export interface FakeMediaStore extends MediaStore {
  readonly files: Map<string, { bytes: Uint8Array; mediaType: string }>;
}

export function createFakeMediaStore(): FakeMediaStore {
  const files = new Map<string, { bytes: Uint8Array; mediaType: string }>();
  return {
    name: 'Memory',
    files,
    async put(key, bytes, { mediaType, signal }) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) {
        signal?.throwIfAborted();
        chunks.push(chunk);
      }
      files.set(checkedKey(key), { bytes: Buffer.concat(chunks), mediaType });
    },
    async open(key, range) {
      const file = files.get(checkedKey(key));
      if (!file) return null;
      return Readable.from([range ? file.bytes.subarray(range.start, range.end + 1) : file.bytes]);
    },
    async delete(keyOrPrefix) {
      checkedKey(keyOrPrefix);
      for (const key of files.keys())
        if (key === keyOrPrefix || (keyOrPrefix.endsWith('/') && key.startsWith(keyOrPrefix)))
          files.delete(key);
    },
    async *list(prefix) {
      checkedKey(prefix);
      for (const key of [...files.keys()]) if (key.startsWith(prefix)) yield key;
    },
    async close() {},
  };
}
