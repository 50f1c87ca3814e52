/** Groups with their keys, in the order in which each key came first. */
export function groupBy<T>(all: readonly T[], key: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of all) {
    const found = groups.get(key(item));
    if (found) found.push(item);
    else groups.set(key(item), [item]);
  }
  return [...groups];
}
