import { type FileImports, isForTests, isProduct, moduleOf } from './read-imports.ts';

/**
 * Exports that nobody needs. What only its own file uses needs no `export`. What nothing of the product uses needs not be
 * there: a test, a bench or a fake may look at a part of the product, and be the only other file that does, but code that
 * only tests call is code that the product does not have.
 *
 * @returns one sentence for each, sorted
 */
export function unusedExports(files: readonly FileImports[]): string[] {
  const users = new Map<string, { by: string; names: readonly string[] }[]>();
  for (const { path, imports } of files)
    for (const { target, names } of imports)
      users.set(target, [...(users.get(target) ?? []), { by: path, names }]);

  return files
    .flatMap(({ path, exports }) =>
      exports.flatMap(({ name, isUsedInside }) => {
        const usedBy = (users.get(moduleOf(path)) ?? [])
          .filter(({ names }) => names.includes(name) || names.includes('*'))
          .map(({ by }) => by);
        if (usedBy.length === 0) return [`${path} exports ${name}: no other file uses it.`];
        return !isUsedInside && isProduct(path) && usedBy.every(isForTests)
          ? [`${path} exports ${name}: only tests use it.`]
          : [];
      }),
    )
    .sort();
}
