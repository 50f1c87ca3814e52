import {
  bytesField,
  floatValueField,
  GRAPH,
  MODEL,
  numberField,
  tensorField,
  textField,
} from '#server/engines/synthesis/onnx-file';

/** Builds small models part by part. */
export { nodeField as node } from '#server/engines/synthesis/onnx-file';

/** A float tensor of any shape as a model's input. */
export const input = (name: string) => floatValueField(GRAPH.input, name);
export const output = (name: string) => floatValueField(GRAPH.output, name);
export const weight = (name: string, numbers: number[]) =>
  tensorField(name, [numbers.length], Float32Array.from(numbers));

const VERSION = { ir: 1, operators: 8, ofOperators: 2 } as const;

/** A complete model file of these parts. */
export const modelOf = (...parts: Uint8Array[]) =>
  Buffer.concat([
    numberField(VERSION.ir, 8),
    bytesField(VERSION.operators, numberField(VERSION.ofOperators, 15)),
    bytesField(MODEL.graph, Buffer.concat([textField(2, 'graph'), ...parts])),
  ]);
