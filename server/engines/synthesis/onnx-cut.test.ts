import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { input, modelOf, node, output, weight } from '../../../tests/support/onnx-model.ts';
import { cutModel } from './onnx-cut.ts';

/** y = (a · w + a) · b + w, where `a · w + a` is called "middle". */
const model = modelOf(
  node('Mul', ['a', 'w'], 'product'),
  node('Add', ['product', 'a'], 'middle'),
  node('Mul', ['middle', 'b'], 'scaled'),
  node('Add', ['scaled', 'w'], 'y'),
  weight('w', [2, 3]),
  input('a'),
  input('b'),
  output('y'),
);
const tensor = (...numbers: number[]) => new Tensor('float32', Float32Array.from(numbers), [numbers.length]);

describe('cutModel', () => {
  it('makes two models that are the whole one after the other', async () => {
    const { before, after } = cutModel(model, ['middle']);
    const [a, b] = [tensor(1, 10), tensor(5, 7)];
    const whole = await (await InferenceSession.create(model)).run({ a, b });
    const first = await InferenceSession.create(before);
    const second = await InferenceSession.create(after);
    expect(first.outputNames).toEqual(['middle']);
    expect([...second.inputNames].sort()).toEqual(['b', 'middle']);
    const { middle } = await first.run({ a, b });
    if (!middle) throw new Error('The first half gave nothing.');
    const { y } = await second.run({ middle, b });
    expect([...(y?.data ?? [])]).toEqual([17, 283]);
    expect(y?.data).toEqual(whole.y?.data);
  });

  it('refuses a model without the tensor, and what is no model', () => {
    expect(() => cutModel(model, ['latent'])).toThrow('This model has no tensor "latent".');
    expect(() => cutModel(new Uint8Array(), ['middle'])).toThrow('This is no ONNX model.');
  });
});
