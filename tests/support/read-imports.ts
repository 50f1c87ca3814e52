import { posix } from 'node:path';
import { parseSync } from 'vite';

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
}

export interface FileImports {
  path: string;
  /** What it imports, in any way: files as paths from the root of the repository, packages by their name. */
  imports: { target: string; isPackage: boolean }[];
  /** Whether it reads the environment. */
  readsEnvironment: boolean;
}

/** Reads what a TypeScript file imports from its syntax tree: a name in a comment or a string is no import. */
export function readImports({ path, text }: SourceFile): FileImports {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed: ${parsed.errors[0]?.message}`);
  const found = new Set<string>();
  let readsEnvironment = false;
  const { program }: { program: unknown } = parsed;
  if (!isNode(program)) throw new Error(`${path} has no syntax tree.`);
  visit(program, (node) => {
    const specifier = specifierOf(node);
    if (specifier !== null) found.add(specifier);
    if (isEnvironment(node)) readsEnvironment = true;
  });
  const imports = [...found].map((specifier) => resolveSpecifier(path, specifier));
  return { path, imports, readsEnvironment };
}

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function visit(node: Node, look: (node: Node) => void): void {
  look(node);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, look);
}

function specifierOf(node: Node): string | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return textOf(node.source) ?? textOf(node.argument);
    case 'TSExternalModuleReference':
      return textOf(node.expression);
    case 'CallExpression':
      return nameOf(node.callee) === 'require' && Array.isArray(node.arguments)
        ? textOf(node.arguments[0])
        : null;
    default:
      return null;
  }
}

/** `process.env`, `const { env } = process`, `import { env } from 'node:process'`. */
function isEnvironment(node: Node): boolean {
  switch (node.type) {
    case 'MemberExpression':
      return (
        nameOf(node.object) === 'process' &&
        (nameOf(node.property) === 'env' || textOf(node.property) === 'env')
      );
    case 'VariableDeclarator':
      return nameOf(node.init) === 'process';
    case 'ImportDeclaration':
      return (
        /^(?:node:)?process$/.test(textOf(node.source) ?? '') &&
        Array.isArray(node.specifiers) &&
        node.specifiers.some((specifier) => isNode(specifier) && nameOf(specifier.imported) === 'env')
      );
    default:
      return false;
  }
}

const nameOf = (value: unknown): string | null =>
  isNode(value) && value.type === 'Identifier' && typeof value.name === 'string' ? value.name : null;

function textOf(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === 'TSLiteralType') return textOf(value.literal);
  return value.type === 'Literal' && typeof value.value === 'string' ? value.value : null;
}

function resolveSpecifier(from: string, specifier: string): { target: string; isPackage: boolean } {
  const alias = /^#(shared|server|web)\/(.*)$/.exec(specifier);
  if (alias) return file(alias[1] === 'web' ? `web/src/${alias[2]}` : `${alias[1]}/${alias[2]}`);
  if (specifier.startsWith('.')) return file(posix.join(posix.dirname(from), specifier));
  const [scopeOrName = '', name] = specifier.split('/');
  return { target: specifier.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName, isPackage: true };
}

const file = (path: string) => ({ target: path.replace(/\.(?:[cm]?[jt]sx?)$/, ''), isPackage: false });
