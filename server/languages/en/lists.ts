const lists = new Intl.ListFormat('en-GB');

/** "a, b and c". */
export const listed = (items: readonly string[]): string => lists.format(items);

/** "a, b, or c". */
export const eitherOf = (items: readonly string[]): string =>
  items.length > 1 ? `${items.slice(0, -1).join(', ')}, or ${items.at(-1)}` : (items[0] ?? '');
