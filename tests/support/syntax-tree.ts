import { parseSync } from 'vite';

export interface SourceFile {
  /** From the repository's root, with slashes. */
  path: string;
  text: string;
}

/** A node as named by ESTree and its TypeScript extension. */
export type Node = Record<string, unknown> & { type: string };

/** @throws Error if the file is not TypeScript or JavaScript */
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

/** Visits a node and all its descendants. */
export function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  for (const value of Object.values(node)) for (const child of nodesOf(value)) visit(child, look);
}

/** @returns the name of an identifier; null for anything else */
export const nameOf = (value: unknown): string | null =>
  isNode(value) && value.type === 'Identifier' && typeof value.name === 'string' ? value.name : null;
