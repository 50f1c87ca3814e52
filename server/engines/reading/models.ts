import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { createWordPiece, type Tokens } from './wordpiece.ts';

export const DIMENSIONS = 384;
/** all-MiniLM-L6-v2 was trained on texts of up to 128 tokens, the cross-encoder on pairs of up to 512. */
const MAX_TEXT_TOKENS = 128;
const MAX_PAIR_TOKENS = 256;

/** The two models, loaded: meant for a worker thread, since they compute on the thread that calls them. */
export interface ReadingModels {
  /** A vector of length one. */
  embed(text: string): Promise<Float32Array>;
  /** The cross-encoder's logit of a pair. */
  relevance(question: string, text: string): Promise<number>;
}

/** @param folder holds `embed.onnx`, `relevance.onnx` and `vocab.txt` */
export async function loadReadingModels(folder: string): Promise<ReadingModels> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    enableCpuMemArena: false,
  };
  const [vocabulary, encoder, crossEncoder] = await Promise.all([
    readFile(join(folder, 'vocab.txt'), 'utf8'),
    InferenceSession.create(join(folder, 'embed.onnx'), options),
    InferenceSession.create(join(folder, 'relevance.onnx'), options),
  ]);
  const tokenizer = createWordPiece(vocabulary);
  return {
    async embed(text) {
      const tokens = tokenizer.one(text, MAX_TEXT_TOKENS);
      const { last_hidden_state: states } = await encoder.run(feeds(tokens));
      if (!(states?.data instanceof Float32Array)) throw new Error('The encoder answered no vectors.');
      return meanOf(states.data, tokens.ids.length);
    },
    async relevance(question, text) {
      const { logits } = await crossEncoder.run(feeds(tokenizer.pair(question, text, MAX_PAIR_TOKENS)));
      const [logit] = logits?.data ?? [];
      if (typeof logit !== 'number') throw new Error('The cross-encoder answered no number.');
      return logit;
    },
  };
}

function feeds({ ids, types }: Tokens): Record<string, Tensor> {
  const shape = [1, ids.length];
  return {
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', BigInt64Array.from(types, BigInt), shape),
  };
}

/** The mean over all tokens, scaled to length one (Reimers and Gurevych 2019). */
function meanOf(states: Float32Array, tokens: number): Float32Array {
  const mean = new Float32Array(DIMENSIONS);
  for (let at = 0; at < tokens * DIMENSIONS; at++)
    mean[at % DIMENSIONS] = (mean[at % DIMENSIONS] ?? 0) + (states[at] ?? 0);
  const length = Math.hypot(...mean) || 1;
  return mean.map((x) => x / length);
}
