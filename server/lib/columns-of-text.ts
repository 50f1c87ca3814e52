/** Average words per cell: shorter cells belong to a table, not to columns of text. */
const RUNNING_WORDS = 4;
/** Share of a column's lines that continue in the line below. */
const RUNNING = 0.5;

const wordsIn = (text: string) => text.split(/\s+/).length;

/**
 * Whether the columns hold running text, as in a leaflet: lines continue in the line below rather than
 * beside.
 * @param rows cells by column; '' for an empty one
 */
export function areColumnsOfText(rows: readonly (readonly string[])[]): boolean {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, n) => rows.flatMap((row) => row[n] || [])).every((texts) => {
    const words = texts.reduce((all, text) => all + wordsIn(text), 0);
    const goesOn = texts.slice(0, -1).filter((text, at) => {
      const below = texts[at + 1] ?? '';
      return !/[.!?:;]["'”’)]?$/.test(text) && (/^\p{Ll}/u.test(below) || wordsIn(text) >= RUNNING_WORDS);
    }).length;
    return (
      texts.length > 1 && words >= RUNNING_WORDS * texts.length && goesOn >= RUNNING * (texts.length - 1)
    );
  });
}
