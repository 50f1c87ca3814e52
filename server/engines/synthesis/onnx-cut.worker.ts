import { readFile, writeFile } from 'node:fs/promises';
import { serveWorkerThread } from '#server/threads/worker-thread';
import { cutModel } from './onnx-cut.ts';
import { withFixedNoise } from './onnx-noise.ts';

/** Methods of the thread that cuts a model; its memory is released with it. */
export type OnnxCutMethods = {
  /**
   * Writes the two parts of a model to files, with fixed numbers in place of random ones in the first.
   * @returns whether the model has those tensors
   */
  cut: (request: {
    model: string;
    tensors: readonly [string, ...string[]];
    before: string;
    after: string;
    seed: number;
  }) => Promise<boolean>;
};

const methods: OnnxCutMethods = {
  async cut({ model, tensors, before, after, seed }) {
    const file = await readFile(model);
    try {
      const parts = cutModel(file, tensors);
      await Promise.all([
        writeFile(before, withFixedNoise(parts.before, seed)),
        writeFile(after, parts.after),
      ]);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  },
};

serveWorkerThread(methods);
