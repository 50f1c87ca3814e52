import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { inNativeCode } from '#server/threads/pulse';

/** Special tokens: begin and end of a text. */
const BEGIN = 1;
const END = 2;

const LAYERS = 8;
const HEADS = 8;
const WIDTH = 52;
const statesOf = (of: 'decoder' | 'encoder') =>
  Array.from({ length: LAYERS }, (_, layer) => [`${layer}.${of}.key`, `${layer}.${of}.value`]).flat();
/** Decoder states: of the text so far, and of the sound, which do not change. */
const TEXT_STATES = statesOf('decoder');
const SOUND_STATES = statesOf('encoder');
const LATER_OUTPUTS = ['logits', ...TEXT_STATES.map((state) => `present.${state}`)];

/**
 * No spinning threads: measurements are beside the voice's and the reader's settings, which share the
 * processors.
 */
const SESSION: InferenceSession.SessionOptions = {
  intraOpNumThreads: Math.min(2, availableParallelism()),
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  enableMemPattern: false,
  extra: { session: { use_device_allocator_for_initializers: '1', intra_op: { allow_spinning: '0' } } },
};

interface TranscribeOptions {
  /**
   * Guess of the text's beginning, asked for after the sound was encoded. A wrong guess costs little and
   * changes nothing.
   */
  draft(): readonly number[];
  signal: AbortSignal;
}

/** The loaded Moonshine. For a worker thread: it computes on the calling thread. */
export interface MoonshineModel {
  /**
   * Yields the spoken tokens, each the likeliest after those before. Tokens of a correct draft come nearly at
   * once: the decoder checks all of them in one run and keeps those it would have chosen (Leviathan et al.
   * 2023, "Fast Inference from Transformers via Speculative Decoding", with greedy decoding in place of
   * sampling).
   * @param samples mono, -1 to 1, at 16 kHz
   * @throws the signal's reason, between two runs
   */
  transcribe(samples: Float32Array, options: TranscribeOptions): AsyncGenerator<number>;
  /** The text of tokens. */
  textOf(tokens: readonly number[]): string;
}

/** @param dir holds encoder_model.onnx, decoder_model_merged.onnx and tokens.txt */
export async function loadMoonshine(dir: string): Promise<MoonshineModel> {
  const session = (file: string) => inNativeCode(() => InferenceSession.create(join(dir, file), SESSION));
  const encoder = await session('encoder_model.onnx');
  const decoder = await session('decoder_model_merged.onnx');
  const textOf = createDetokenizer(await readFile(join(dir, 'tokens.txt'), 'utf8'));

  async function encoded(samples: Float32Array): Promise<Tensor> {
    const { last_hidden_state } = await inNativeCode(() =>
      encoder.run({ input_values: new Tensor('float32', samples, [1, samples.length]) }),
    );
    if (!last_hidden_state) throw new Error('The encoder of the ears answered nothing.');
    return last_hidden_state;
  }

  /** Runs the decoder on tokens that follow the given states. */
  async function decoded(tokens: readonly number[], sound: Tensor, states: Tensors | null) {
    const outputs: Readonly<Record<string, Tensor>> = await inNativeCode(() =>
      decoder.run(
        {
          input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
          encoder_hidden_states: sound,
          ...(states ?? NO_STATES),
          use_cache_branch: new Tensor('bool', [states !== null], [1]),
        },
        states ? LATER_OUTPUTS : decoder.outputNames,
      ),
    );
    return { next: likeliest(outputs.logits), outputs };
  }

  return {
    textOf,
    async *transcribe(samples, { draft: guess, signal }) {
      const sound = await encoded(samples);
      signal.throwIfAborted();
      const draft = guess();
      const first = await decoded([BEGIN, ...draft], sound, null);
      const right = first.next.findIndex((token, n) => token === END || token !== draft[n]);
      for (const token of first.next.slice(0, right)) yield token;
      let token = first.next[right];
      const states = {
        ...statesIn(SOUND_STATES, first.outputs),
        ...statesIn(TEXT_STATES, first.outputs, (state) => upTo(state, right + 1)),
      };
      while (token !== undefined && token !== END) {
        yield token;
        signal.throwIfAborted();
        const { next, outputs } = await decoded([token], sound, states);
        Object.assign(states, statesIn(TEXT_STATES, outputs));
        token = next[0];
      }
    },
  };
}

type Tensors = Record<string, Tensor>;

const NO_STATES: Tensors = Object.fromEntries(
  [...TEXT_STATES, ...SOUND_STATES].map((state) => [
    `past_key_values.${state}`,
    new Tensor('float32', new Float32Array(), [1, HEADS, 0, WIDTH]),
  ]),
);

/** Renames one run's output states as the next run's inputs. */
function statesIn(
  names: readonly string[],
  outputs: Readonly<Record<string, Tensor>>,
  change = (state: Tensor) => state,
): Tensors {
  return Object.fromEntries(
    names.map((name) => {
      const state = outputs[`present.${name}`];
      if (!state) throw new Error('The decoder of the ears kept no state.');
      return [`past_key_values.${name}`, change(state)];
    }),
  );
}

/** A state truncated to a number of tokens. */
function upTo(state: Tensor, tokens: number): Tensor {
  const held = state.dims[2] ?? 0;
  if (held === tokens) return state;
  const from = numbersOf(state);
  const kept = new Float32Array(HEADS * tokens * WIDTH);
  for (let head = 0; head < HEADS; head++) {
    const at = head * held * WIDTH;
    kept.set(from.subarray(at, at + tokens * WIDTH), head * tokens * WIDTH);
  }
  return new Tensor('float32', kept, [1, HEADS, tokens, WIDTH]);
}

/** The likeliest next token after each input token. */
function likeliest(logits: Tensor | undefined): number[] {
  if (!logits) throw new Error('The decoder of the ears answered nothing.');
  const numbers = numbersOf(logits);
  const [, positions = 0, vocabulary = 0] = logits.dims;
  return Array.from({ length: positions }, (_, position) => {
    const from = position * vocabulary;
    let best = from;
    for (let at = from + 1; at < from + vocabulary; at++)
      if ((numbers[at] ?? 0) > (numbers[best] ?? 0)) best = at;
    return best - from;
  });
}

function numbersOf(tensor: Tensor): Float32Array {
  if (!(tensor.data instanceof Float32Array)) throw new Error('The ears answered no numbers.');
  return tensor.data;
}

/**
 * Llama's tokens as text: "▁" is a space, "<0x0A>" a byte of a character that has no token; the first three
 * tokens and those beyond the table are not text.
 * @param table `base64(token) id`, line by line
 */
function createDetokenizer(table: string): (tokens: readonly number[]) => string {
  const bytes = table
    .trimEnd()
    .split('\n')
    .map((line, id) => {
      const token = Buffer.from(line.split(' ', 1)[0] ?? '', 'base64').toString();
      const byte = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1];
      if (id <= END) return Buffer.alloc(0);
      return byte ? Buffer.from(byte, 'hex') : Buffer.from(token.replaceAll('▁', ' '));
    });
  return (tokens) =>
    Buffer.concat(tokens.flatMap((id) => bytes[id] ?? []))
      .toString()
      .trim();
}
