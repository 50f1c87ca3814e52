import { parseSync } from 'vite';

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
}

/** A node of a syntax tree as ESTree and its extension for TypeScript name it. */
export type Node = Record<string, unknown> & { type: string };

/** @throws Error when the file is no TypeScript or JavaScript */
export function syntaxTreeOf({ path, text }: SourceFile): Node {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed: ${parsed.errors[0]?.message}`);
  const { program }: { program: unknown } = parsed;
  if (!isNode(program)) throw new Error(`${path} has no syntax tree.`);
  return program;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);

/** Looks at a node and at all below it. */
export function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  for (const value of Object.values(node)) for (const child of nodesOf(value)) visit(child, look);
}

/** @returns the name of an identifier; null of anything else */
export const nameOf = (value: unknown): string | null =>
  isNode(value) && value.type === 'Identifier' && typeof value.name === 'string' ? value.name : null;
