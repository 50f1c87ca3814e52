import { BinaryWriter, WireType } from '@bufbuild/protobuf';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { cutModel } from './onnx-cut.ts';

const bytes = (number: number, content: Uint8Array | string) => {
  const writer = new BinaryWriter().tag(number, WireType.LengthDelimited);
  return (typeof content === 'string' ? writer.string(content) : writer.bytes(content)).finish();
};
const number = (field: number, value: number) =>
  new BinaryWriter().tag(field, WireType.Varint).int32(value).finish();
const message = (...fields: Uint8Array[]) => new Uint8Array(Buffer.concat(fields));

const node = (operation: string, inputs: string[], output: string) =>
  bytes(1, message(...inputs.map((name) => bytes(1, name)), bytes(2, output), bytes(4, operation)));
const value = (field: number, name: string) =>
  bytes(field, message(bytes(1, name), bytes(2, bytes(1, number(1, 1)))));
const weight = (name: string, numbers: number[]) =>
  bytes(
    5,
    message(
      number(1, numbers.length),
      number(2, 1),
      bytes(9, new Uint8Array(Float32Array.from(numbers).buffer)),
      bytes(8, name),
    ),
  );

/** y = (a · w + a) · b + w, where `a · w + a` is called "middle". */
const model = message(
  number(1, 8),
  bytes(8, number(2, 15)),
  bytes(
    7,
    message(
      node('Mul', ['a', 'w'], 'product'),
      node('Add', ['product', 'a'], 'middle'),
      node('Mul', ['middle', 'b'], 'scaled'),
      node('Add', ['scaled', 'w'], 'y'),
      bytes(2, 'graph'),
      weight('w', [2, 3]),
      value(11, 'a'),
      value(11, 'b'),
      value(12, 'y'),
    ),
  ),
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
