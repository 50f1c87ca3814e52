import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Field numbers in use, from onnx.proto (github.com/onnx/onnx, onnx/onnx.proto). */
export const MODEL = { graph: 7 } as const;
export const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
export const NODE = { input: 1, output: 2, operation: 4 } as const;
export const TENSOR = { dimension: 1, elementType: 2, name: 8, content: 9 } as const;
export const VALUE = { name: 1, type: 2 } as const;
const ELEMENT = { float: 1, int64: 7 } as const;

/** A field of a message: number, whole encoding, and for a message, string or bytes its content. */
export interface Field {
  number: number;
  encoded: Uint8Array;
  content: Uint8Array;
}

/** Fields of a message, in order, without copying. */
function readFields(message: Uint8Array): Field[] {
  const reader = new BinaryReader(message);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, wire] = reader.tag();
    const skipped = reader.skip(wire);
    fields.push({
      number,
      encoded: message.subarray(start, reader.pos),
      content: wire === WireType.LengthDelimited ? new BinaryReader(skipped).bytes() : skipped,
    });
  }
  return fields;
}

/**
 * The fields of a model, and those of its graph.
 * @throws RangeError if it is not an ONNX model
 */
export function readModel(model: Uint8Array): { fields: Field[]; graph: Field[] } {
  const fields = readFields(model);
  const graph = fields.find(({ number }) => number === MODEL.graph);
  if (!graph) throw new RangeError('This is no ONNX model.');
  return { fields, graph: readFields(graph.content) };
}

/** A copy of a model with another graph. */
export function withGraph(fields: readonly Field[], graph: Uint8Array): Uint8Array {
  const writer = new BinaryWriter();
  for (const { number, encoded } of fields)
    if (number === MODEL.graph) writer.raw(bytesField(number, graph));
    else writer.raw(encoded);
  return writer.finish();
}

/** The strings in all fields of this number. */
export const textsOf = ({ content }: Field, wanted: number): string[] =>
  readFields(content)
    .filter(({ number }) => number === wanted)
    .map((field) => new TextDecoder().decode(field.content));

export const textOf = (field: Field, wanted: number): string => textsOf(field, wanted)[0] ?? '';

export function nodeField(operation: string, inputs: readonly string[], output: string): Uint8Array {
  const writer = new BinaryWriter();
  for (const input of inputs) writer.raw(textField(NODE.input, input));
  writer.raw(textField(NODE.output, output)).raw(textField(NODE.operation, operation));
  return bytesField(GRAPH.node, writer.finish());
}

/** A constant tensor. @param shape empty for a scalar */
export function tensorField(
  name: string,
  shape: readonly number[],
  numbers: Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>,
): Uint8Array {
  const writer = new BinaryWriter();
  for (const dimension of shape) writer.raw(numberField(TENSOR.dimension, dimension));
  writer
    .raw(numberField(TENSOR.elementType, numbers instanceof Float32Array ? ELEMENT.float : ELEMENT.int64))
    .raw(textField(TENSOR.name, name))
    .raw(bytesField(TENSOR.content, new Uint8Array(numbers.buffer)));
  return bytesField(GRAPH.initializer, writer.finish());
}

/** A graph input or output: a float tensor of any shape. */
export function floatValueField(number: number, name: string): Uint8Array {
  const type = bytesField(1, numberField(1, ELEMENT.float));
  const value = new BinaryWriter().raw(textField(VALUE.name, name)).raw(bytesField(VALUE.type, type));
  return bytesField(number, value.finish());
}

/** A field that holds a message or bytes. */
export const bytesField = (number: number, content: Uint8Array): Uint8Array =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(content).finish();

export const textField = (number: number, content: string): Uint8Array =>
  new BinaryWriter().tag(number, WireType.LengthDelimited).string(content).finish();

export const numberField = (number: number, value: number): Uint8Array =>
  new BinaryWriter().tag(number, WireType.Varint).int32(value).finish();
