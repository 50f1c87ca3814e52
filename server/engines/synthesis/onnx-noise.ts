import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { seededRandom } from '#server/lib/seeded-random';
import { GRAPH, NODE, nodeField, readModel, tensorField, textOf, withGraph } from './onnx-file.ts';

/** A prime, so that rows of a tensor start at different offsets; half a megabyte. */
const TABLE_LENGTH = 131_071;

/** Tensors added to the graph; no exporter uses such names. */
const NAMES = { table: 'noise.table', length: 'noise.length', zero: 'noise.zero', one: 'noise.one' } as const;

/**
 * Makes a model deterministic: each RandomNormalLike is replaced by a table of such numbers, read from its
 * beginning in every run and repeated at its end. The same input then gives the same output on every machine.
 * Mean and deviation are the operator's defaults, 0 and 1.
 * @throws RangeError if it is not an ONNX model
 */
export function withFixedNoise(model: Uint8Array, seed: number): Uint8Array {
  const { fields, graph } = readModel(model);
  const writer = new BinaryWriter();
  for (const part of graph) {
    const isRandom = part.number === GRAPH.node && textOf(part, NODE.operation) === 'RandomNormalLike';
    if (!isRandom) writer.raw(part.encoded);
    else for (const node of reading(textOf(part, NODE.input), textOf(part, NODE.output))) writer.raw(node);
  }
  const numbers = normalNumbers(TABLE_LENGTH, seed);
  writer.raw(tensorField(NAMES.table, [TABLE_LENGTH], numbers));
  for (const [name, value] of [
    [NAMES.length, TABLE_LENGTH],
    [NAMES.zero, 0],
    [NAMES.one, 1],
  ] as const)
    writer.raw(tensorField(name, [], BigInt64Array.of(BigInt(value))));
  return withGraph(fields, writer.finish());
}

/** Nodes that fill a tensor of the shape of `like` from the table. */
function reading(like: string, output: string): Uint8Array[] {
  const own = (name: string) => `${output}.${name}`;
  return [
    nodeField('Shape', [like], own('shape')),
    nodeField('Size', [like], own('size')),
    nodeField('Range', [NAMES.zero, own('size'), NAMES.one], own('places')),
    nodeField('Mod', [own('places'), NAMES.length], own('rows')),
    nodeField('Gather', [NAMES.table, own('rows')], own('flat')),
    nodeField('Reshape', [own('flat'), own('shape')], output),
  ];
}

/** Independent normal numbers with mean 0 and deviation 1 (Box and Muller 1958). */
function normalNumbers(count: number, seed: number): Float32Array<ArrayBuffer> {
  const random = seededRandom(seed);
  const numbers = new Float32Array(count);
  for (let n = 0; n < count; n++)
    numbers[n] = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return numbers;
}
