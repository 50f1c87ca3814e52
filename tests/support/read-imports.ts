import { posix } from 'node:path';
import { isNode, type Node, nameOf, nodesOf, type SourceFile, syntaxTreeOf, visit } from './syntax-tree.ts';

export interface FileImports {
  path: string;
  /** All imports: files as paths from the repository's root, packages by name. */
  imports: Import[];
  /** Exported names, sorted, and whether the file itself uses them. */
  exports: { name: string; isUsedInside: boolean }[];
  readsEnvironment: boolean;
  /** Whether it uses what a browser stores. */
  usesStorage: boolean;
}

interface Import {
  target: string;
  isPackage: boolean;
  /** Imported names as in the exporting file; `*` for all: a namespace or dynamic import. */
  names: string[];
}

/**
 * Reads a file's imports and exports from its syntax tree, so that names in comments and strings do not
 * count.
 */
export function readImports(source: SourceFile): FileImports {
  const { path } = source;
  const taken = new Map<string, Set<string>>();
  const exports = new Set<string>();
  const mentions = new Map<string, number>();
  let readsEnvironment = false;
  visit(syntaxTreeOf(source), (node) => {
    const specifier = specifierOf(node);
    if (specifier !== null)
      taken.set(specifier, new Set([...(taken.get(specifier) ?? []), ...namesTaken(node)]));
    for (const name of namesGiven(node)) exports.add(name);
    const mentioned = nameOf(node);
    if (mentioned !== null) mentions.set(mentioned, (mentions.get(mentioned) ?? 0) + 1);
    if (isEnvironment(node)) readsEnvironment = true;
  });
  const imports = [...taken].map(([specifier, names]) => ({
    ...resolveSpecifier(path, specifier),
    names: [...names].sort(),
  }));
  return {
    path,
    imports,
    // One mention is the declaration; any further one is a use.
    exports: [...exports].sort().map((name) => ({ name, isUsedInside: (mentions.get(name) ?? 0) > 1 })),
    readsEnvironment,
    usesStorage: STORAGES.some((name) => mentions.has(name)),
  };
}

const STORAGES = ['sessionStorage', 'localStorage', 'indexedDB', 'caches', 'cookie', 'cookieStore'];

/** Whether a file, with or without extension, is part of the shipped product. */
export const isProduct = (path: string): boolean =>
  /^(?:shared|server|web)\//.test(path) && !isForTests(path);

/** Whether a file, with or without extension, is for tests only. */
export const isForTests = (path: string): boolean =>
  /^tests\/|\.test$|\/(?:fake|fake-[\w-]+|test-[\w-]+)$/.test(moduleOf(path));

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

/** @returns the names that an import statement takes from its file */
function namesTaken(node: Node): string[] {
  switch (node.type) {
    case 'ImportDeclaration':
      return nodesOf(node.specifiers).map(({ type, imported }) =>
        type === 'ImportDefaultSpecifier' ? 'default' : (nameOf(imported) ?? '*'),
      );
    case 'ExportNamedDeclaration':
      return nodesOf(node.specifiers).map(({ local }) => nameOf(local) ?? '*');
    case 'TSImportType':
      return [nameOf(isNode(node.qualifier) ? leftmost(node.qualifier) : null) ?? '*'];
    default:
      return ['*'];
  }
}

/** @returns the names that a statement exports */
function namesGiven(node: Node): string[] {
  if (node.type === 'ExportDefaultDeclaration') return ['default'];
  if (node.type !== 'ExportNamedDeclaration') return [];
  return [
    ...nodesOf(node.specifiers).map(({ exported }) => nameOf(exported)),
    ...nodesOf(node.declaration).flatMap((declaration) =>
      declaration.type === 'VariableDeclaration'
        ? nodesOf(declaration.declarations).flatMap(({ id }) => bound(id))
        : [nameOf(declaration.id)],
    ),
  ].filter((name) => name !== null);
}

/** @returns the names bound by a pattern such as `{ a, b: [c] }` */
function bound(pattern: unknown): string[] {
  return nodesOf(pattern).flatMap((node) => {
    const name = nameOf(node);
    if (name !== null) return [name];
    return [node.properties, node.elements, node.value, node.argument, node.left].flatMap(bound);
  });
}

const leftmost = (node: Node): Node => (isNode(node.left) ? leftmost(node.left) : node);

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

const file = (path: string) => ({ target: moduleOf(path), isPackage: false });

/** @returns a file's path without extension, as imports use it */
export const moduleOf = (path: string): string => path.replace(/\.(?:[cm]?[jt]sx?)$/, '');
