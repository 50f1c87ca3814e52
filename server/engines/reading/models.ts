import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { inNativeCode } from '#server/threads/pulse';
import { DIMENSIONS, ENCODER_DIMENSIONS, WEIGHTS } from './weights.ts';
import { createWordPiece, type Tokens } from './wordpiece.ts';

/** Token limits of training: 128 for all-MiniLM-L6-v2, 512 for pairs of the cross-encoder. */
const MAX_TEXT_TOKENS = 128;
const MAX_PAIR_TOKENS = 256;
/** Token limit in the training of the entailment model. */
const MAX_ENTAILMENT_TOKENS = 192;

/**
 * Memory measured over texts of all lengths (the process without models takes 41 MB): 175 MB and the same
 * speed. Without the arena 200 MB, since every length leaves holes of its own; with a memory plan for every
 * length, 182 MB.
 *
 * A turn reads one pair after another while the machine does little else. Two threads take 0.86 of the time
 * of one on a machine with other work on both cores; threads that spin while they wait take 1.5 times as
 * long.
 */
const SESSION: InferenceSession.SessionOptions = {
  intraOpNumThreads: Math.min(2, availableParallelism()),
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  enableCpuMemArena: true,
  enableMemPattern: false,
  extra: { session: { use_device_allocator_for_initializers: '1', intra_op: { allow_spinning: '0' } } },
};

/** Prefix that BGE was trained with for questions searched among passages (Xiao et al. 2023). */
const QUESTION = 'Represent this sentence for searching relevant passages: ';
/**
 * Cosines of BGE are half as spread as those of MiniLM, so its square weighs twice: then a dot product of
 * joined vectors weighs both equally. Together they rank an everyday paraphrase's passage first a third more
 * often than either alone (docs/dialogue.md).
 */
const MINILM_SHARE = Math.sqrt(1 / 3);
const BGE_SHARE = Math.sqrt(2 / 3);

/** The loaded models. For a worker thread: they compute on the calling thread. */
export interface ReadingModels {
  /** A unit vector: MiniLM's numbers, then BGE's. */
  embed(text: string, as?: 'question' | 'passage'): Promise<Float32Array>;
  /** The cross-encoder's logit of a pair. */
  relevance(question: string, text: string): Promise<number>;
  /** The logit that a sentence follows from a text; call `loadEntailment` first. */
  entailment(sentence: string, text: string): Promise<number>;
  /** Loads the entailment weights once; only needed where a language model answers. */
  loadEntailment(): Promise<void>;
}

/** @param folder holds the files of `WEIGHTS` */
export async function loadReadingModels(folder: string): Promise<ReadingModels> {
  const session = (file: string) => inNativeCode(() => InferenceSession.create(join(folder, file), SESSION));
  const tokenizer = createWordPiece(await readFile(join(folder, WEIGHTS.vocabulary), 'utf8'));
  // Load the larger one first: the smaller then reuses the memory of the larger one's file.
  const crossEncoder = await session(WEIGHTS.crossEncoder);
  const searchEncoder = await session(WEIGHTS.searchEncoder);
  const encoder = await session(WEIGHTS.encoder);
  const statesOf = async (model: InferenceSession, tokens: Tokens) => {
    const { last_hidden_state: states } = await inNativeCode(() => model.run(feeds(tokens)));
    if (!(states?.data instanceof Float32Array)) throw new Error('The encoder answered no vectors.');
    return states.data;
  };
  let loading: Promise<InferenceSession> | null = null;
  const entailmentEncoder = () => {
    loading ??= session(WEIGHTS.entailment).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return {
    async embed(text, as = 'passage') {
      const tokens = tokenizer.one(text, MAX_TEXT_TOKENS);
      const mean = meanOf(await statesOf(encoder, tokens), tokens.ids.length);
      const searched = as === 'question' ? tokenizer.one(QUESTION + text, MAX_TEXT_TOKENS) : tokens;
      // BGE's embedding is its first token.
      const first = scaled((await statesOf(searchEncoder, searched)).slice(0, ENCODER_DIMENSIONS), BGE_SHARE);
      const vector = new Float32Array(DIMENSIONS);
      vector.set(scaled(mean, MINILM_SHARE));
      vector.set(first, ENCODER_DIMENSIONS);
      return vector;
    },
    relevance: (question, text) => logitOf(crossEncoder, tokenizer.pair(question, text, MAX_PAIR_TOKENS)),
    async entailment(sentence, text) {
      return logitOf(await entailmentEncoder(), tokenizer.pair(sentence, text, MAX_ENTAILMENT_TOKENS));
    },
    async loadEntailment() {
      await entailmentEncoder();
    },
  };
}

async function logitOf(model: InferenceSession, pair: Tokens): Promise<number> {
  const { logits } = await inNativeCode(() => model.run(feeds(pair)));
  const [logit] = logits?.data ?? [];
  if (typeof logit !== 'number') throw new Error('The cross-encoder answered no number.');
  return logit;
}

function feeds({ ids, types }: Tokens): Record<string, Tensor> {
  const shape = [1, ids.length];
  return {
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', BigInt64Array.from(types, BigInt), shape),
  };
}

/** The mean over all tokens (Reimers and Gurevych 2019). */
function meanOf(states: Float32Array, tokens: number): Float32Array {
  const mean = new Float32Array(ENCODER_DIMENSIONS);
  for (let at = 0; at < tokens * ENCODER_DIMENSIONS; at++)
    mean[at % ENCODER_DIMENSIONS] = (mean[at % ENCODER_DIMENSIONS] ?? 0) + (states[at] ?? 0);
  return mean;
}

function scaled(vector: Float32Array, length: number): Float32Array {
  const scale = length / (Math.hypot(...vector) || 1);
  return vector.map((x) => x * scale);
}
