import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { input, modelOf, node, output, weight } from '../../../tests/support/onnx-model.ts';
import { withFixedNoise } from './onnx-noise.ts';

/** y = noise of the shape of `x`, times two. */
const model = modelOf(
  node('RandomNormalLike', ['x'], 'noise'),
  node('Mul', ['noise', 'two'], 'y'),
  weight('two', [2]),
  input('x'),
  output('y'),
);

/** The results of two runs, each in its own session, for a tensor of this shape. */
async function answers(bytes: Uint8Array, shape: readonly number[]) {
  const x = new Tensor('float32', new Float32Array(shape.reduce((size, n) => size * n, 1)), shape);
  const session = await InferenceSession.create(bytes);
  const runs = [await session.run({ x }), await session.run({ x })];
  return runs.map(({ y }) => {
    if (!(y?.data instanceof Float32Array)) throw new Error('The model answered nothing.');
    expect(y.dims).toEqual(shape);
    return y.data;
  });
}

const mean = (numbers: Float32Array) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

describe('withFixedNoise', () => {
  it('makes the same of the same, in every run and every session', async () => {
    const [first, second] = await answers(withFixedNoise(model, 1), [1, 3, 5]);
    const [third] = await answers(withFixedNoise(model, 1), [1, 3, 5]);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    const [drawn, drawnAgain] = await answers(model, [1, 3, 5]);
    expect(drawnAgain).not.toEqual(drawn);
  });

  it('has other noise for another seed', async () => {
    const [first] = await answers(withFixedNoise(model, 1), [2, 4]);
    const [other] = await answers(withFixedNoise(model, 2), [2, 4]);
    expect(other).not.toEqual(first);
  });

  it('is noise with a mean of 0 and a deviation of 1, also where more is wanted than the table holds', async () => {
    const [noise = new Float32Array()] = await answers(withFixedNoise(model, 1), [1, 200, 1_000]);
    const ones = noise.map((n) => n / 2);
    expect(mean(ones)).toBeCloseTo(0, 1);
    expect(mean(ones.map((n) => n * n))).toBeCloseTo(1, 1);
    // Neighbours in time and between rows are uncorrelated.
    for (const apart of [1, 1_000])
      expect(mean(ones.map((n, at) => n * (ones[at + apart] ?? 0)))).toBeCloseTo(0, 1);
  });

  it('refuses what is no model', () => {
    expect(() => withFixedNoise(new Uint8Array(), 1)).toThrow('This is no ONNX model.');
  });
});
