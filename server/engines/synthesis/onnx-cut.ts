import { BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  type Field,
  floatValueField,
  GRAPH,
  NODE,
  readModel,
  TENSOR,
  textOf,
  textsOf,
  VALUE,
  withGraph,
} from './onnx-file.ts';

interface Node {
  encoded: Uint8Array;
  inputs: string[];
  outputs: string[];
}

/** A model in two parts; run one after the other they give the original's result. */
interface CutModel {
  /** From the model's inputs to the first of the cut tensors. */
  before: Uint8Array;
  /** From the cut tensors, and those inputs of the model that it still needs, to the model's outputs. */
  after: Uint8Array;
}

/**
 * Cuts an ONNX model in two without changing a weight. Nodes must not contain graphs (no If, no Loop).
 * @param model the file
 * @param tensors names of the float tensors that cross the cut; the first is the output of the first part
 * @throws RangeError if the model has no such tensor
 */
export function cutModel(model: Uint8Array, tensors: readonly [string, ...string[]]): CutModel {
  const { fields, graph: parts } = readModel(model);
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

  /** A model that computes `wanted`, with `given` as inputs in place of their nodes. */
  const part = (wanted: readonly string[], given: readonly string[], ends: readonly Uint8Array[]) => {
    const needed = tensorsFor(wanted, new Set(given), makers);
    const writer = new BinaryWriter();
    for (const { outputs, encoded } of nodes)
      if (outputs.some((output) => needed.has(output) && !given.includes(output))) writer.raw(encoded);
    for (const { name, encoded } of initializers) if (needed.has(name)) writer.raw(encoded);
    for (const name of given) writer.raw(floatValueField(GRAPH.input, name));
    for (const { name, encoded } of inputs) if (given.length === 0 || needed.has(name)) writer.raw(encoded);
    for (const end of [...ends, ...others.map(({ encoded }) => encoded)]) writer.raw(end);
    return withGraph(fields, writer.finish());
  };
  return {
    before: part([tensors[0]], [], [floatValueField(GRAPH.output, tensors[0])]),
    after: part(
      outputs.map(({ name }) => name),
      tensors,
      outputs.map(({ encoded }) => encoded),
    ),
  };
}

/** Names of all tensors needed to compute `wanted`, back to inputs, weights and `given`. */
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

const readNode = (field: Field): Node => ({
  encoded: field.encoded,
  inputs: textsOf(field, NODE.input),
  outputs: textsOf(field, NODE.output),
});
