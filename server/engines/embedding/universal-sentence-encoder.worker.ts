import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serveWorkerThread, Transfer } from '#server/worker-thread';

/** The two calls used of @energetic-ai/core and /embeddings; their own types need packages that they do not bring. */
interface Core {
  ready(): Promise<void>;
  loadGraphModel(url: string): Promise<unknown>;
}
interface Embeddings {
  EmbeddingsModel: new (data: { model: unknown; vocabulary: unknown }) => Model;
}
interface Model {
  embed(texts: string[]): Promise<number[][]>;
}

const require = createRequire(import.meta.url);
let model: Promise<Model> | null = null;

async function load(folder: string): Promise<Model> {
  const core: Core = require('@energetic-ai/core');
  const { EmbeddingsModel }: Embeddings = require('@energetic-ai/embeddings');
  await core.ready();
  const [graph, vocabulary] = await Promise.all([
    // The library cuts "file://" off and reads the rest as a path, on Windows too.
    core.loadGraphModel(`file://${join(folder, 'model.json')}`),
    readFile(join(folder, 'vocab.json'), 'utf8').then((text): unknown => JSON.parse(text)),
  ]);
  const loaded = new EmbeddingsModel({ model: graph, vocabulary });
  // The first run prepares its kernels, so that no customer waits for it.
  await loaded.embed(['warm up']);
  return loaded;
}

const methods = {
  async load({ folder }: { folder: string }): Promise<void> {
    model = load(folder);
    await model;
  },

  /** Vectors of 512 numbers, joined end to end. */
  async embed({ texts }: { texts: readonly string[] }): Promise<Transfer<Float32Array<ArrayBuffer>>> {
    if (!model) throw new Error('The model is not loaded.');
    // The encoder cannot take an empty text.
    const rows = await (await model).embed(texts.map((text) => text.trim() || '.'));
    const joined = new Float32Array(rows.length * (rows[0]?.length ?? 0));
    rows.forEach((row, n) => {
      const length = Math.hypot(...row) || 1;
      joined.set(
        row.map((x) => x / length),
        n * row.length,
      );
    });
    return new Transfer(joined, [joined.buffer]);
  },
};

export type EncoderMethods = typeof methods;

serveWorkerThread(methods);
