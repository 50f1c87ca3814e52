import { type FileImports, moduleOf } from './read-imports.ts';

/**
 * Finds files that import each other in a circle, type imports included: none of them can be read, moved or
 * tested without the others.
 *
 * @returns the shortest circle through each file in a circle that is not listed yet: `a → b → a`, sorted
 */
export function importCycles(files: readonly FileImports[]): string[] {
  const modules = new Set(files.map(({ path }) => moduleOf(path)));
  const edges = new Map(
    files.map(({ path, imports }) => [
      moduleOf(path),
      imports.map(({ target }) => target).filter((target) => modules.has(target)),
    ]),
  );
  const told = new Set<string>();
  return [...modules].sort().flatMap((start) => {
    const cycle = told.has(start) ? null : shortestCycle(start, edges);
    if (!cycle) return [];
    for (const module of cycle) told.add(module);
    return [[...cycle, start].join(' → ')];
  });
}

/** Breadth first, so the first way back is the shortest. */
function shortestCycle(start: string, edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of edges.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}
