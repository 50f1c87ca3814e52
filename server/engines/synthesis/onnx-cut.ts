import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf';

/** Numbers of the fields that are read, as onnx.proto has them (github.com/onnx/onnx, onnx/onnx.proto). */
const MODEL = { graph: 7 } as const;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
const NODE = { input: 1, output: 2 } as const;
const TENSOR = { name: 8 } as const;
const VALUE = { name: 1, type: 2 } as const;
const FLOAT = 1;

/** One field of a message: its number, its whole encoding, and for a message, string or bytes what is in it. */
interface Field {
  number: number;
  encoded: Uint8Array;
  content: Uint8Array;
}

interface Node {
  encoded: Uint8Array;
  inputs: string[];
  outputs: string[];
}

/** A model in two: run one after the other they are what it was. */
interface CutModel {
  /** From the model's inputs to the first of the cut tensors. */
  before: Uint8Array;
  /** From the cut tensors, and those inputs of the model that it still needs, to the model's outputs. */
  after: Uint8Array;
}

/**
 * Cuts an ONNX model in two, without touching a weight. The graph may hold no graphs in its nodes (no If, no Loop).
 * @param model the file
 * @param tensors names of the float tensors that cross the cut; the first is what the part before it gives
 * @throws RangeError where the model has no such tensor
 */
export function cutModel(model: Uint8Array, tensors: readonly [string, ...string[]]): CutModel {
  const fields = readFields(model);
  const graph = fields.find(({ number }) => number === MODEL.graph);
  if (!graph) throw new RangeError('This is no ONNX model.');
  const parts = readFields(graph.content);
  const named = (number: number, name: number) =>
    parts.filter((part) => part.number === number).map((part) => ({ ...part, name: textOf(part, name) }));
  const nodes = parts.filter(({ number }) => number === GRAPH.node).map(readNode);
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  for (const tensor of tensors)
    if (!makers.has(tensor)) throw new RangeError(`This model has no tensor "${tensor}".`);
  const initializers = named(GRAPH.initializer, TENSOR.name);
  const inputs = named(GRAPH.input, VALUE.name);
  const outputs = named(GRAPH.output, VALUE.name);
  const others = parts.filter(({ number }) => !Object.values<number>(GRAPH).includes(number));

  /** A model that makes `wanted`, with `given` in place of what makes them. */
  const part = (wanted: readonly string[], given: readonly string[], ends: readonly Uint8Array[]) => {
    const needed = tensorsFor(wanted, new Set(given), makers);
    const writer = new BinaryWriter();
    for (const { outputs, encoded } of nodes)
      if (outputs.some((output) => needed.has(output) && !given.includes(output))) writer.raw(encoded);
    for (const { name, encoded } of initializers) if (needed.has(name)) writer.raw(encoded);
    for (const name of given) writer.raw(floatTensor(GRAPH.input, name));
    for (const { name, encoded } of inputs) if (given.length === 0 || needed.has(name)) writer.raw(encoded);
    for (const end of [...ends, ...others.map(({ encoded }) => encoded)]) writer.raw(end);
    return withGraph(fields, writer.finish());
  };
  return {
    before: part([tensors[0]], [], [floatTensor(GRAPH.output, tensors[0])]),
    after: part(
      outputs.map(({ name }) => name),
      tensors,
      outputs.map(({ encoded }) => encoded),
    ),
  };
}

/** Names of all tensors that making `wanted` takes, back to inputs, weights and what is given. */
function tensorsFor(
  wanted: readonly string[],
  given: ReadonlySet<string>,
  makers: ReadonlyMap<string, Node>,
) {
  const needed = new Set<string>();
  const open = [...wanted];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    if (!given.has(name)) open.push(...(makers.get(name)?.inputs ?? []));
  }
  return needed;
}

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

function readNode({ encoded, content }: Field): Node {
  const fields = readFields(content);
  const texts = (wanted: number) =>
    fields.filter(({ number }) => number === wanted).map((field) => text(field.content));
  return { encoded, inputs: texts(NODE.input), outputs: texts(NODE.output) };
}

function textOf({ content }: Field, wanted: number): string {
  const field = readFields(content).find(({ number }) => number === wanted);
  return field ? text(field.content) : '';
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A value of a graph that is a float tensor of any shape. */
function floatTensor(number: number, name: string): Uint8Array {
  const elementType = new BinaryWriter().tag(1, WireType.Varint).int32(FLOAT).finish();
  const type = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(elementType).finish();
  const value = new BinaryWriter()
    .tag(VALUE.name, WireType.LengthDelimited)
    .string(name)
    .tag(VALUE.type, WireType.LengthDelimited)
    .bytes(type)
    .finish();
  return new BinaryWriter().tag(number, WireType.LengthDelimited).bytes(value).finish();
}

function withGraph(fields: readonly Field[], graph: Uint8Array): Uint8Array {
  const writer = new BinaryWriter();
  for (const { number, encoded } of fields)
    if (number === MODEL.graph) writer.tag(number, WireType.LengthDelimited).bytes(graph);
    else writer.raw(encoded);
  return writer.finish();
}
