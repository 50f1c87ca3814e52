import { type FileImports, isForTests, isProduct, moduleOf } from './read-imports.ts';

/**
 * Finds unnecessary exports. An export used only in its own file needs no `export`. An export used nowhere in
 * the product need not exist: tests, benches and fakes may use parts of the product, but code that only tests
 * call is not product code.
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
