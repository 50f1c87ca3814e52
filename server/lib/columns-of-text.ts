/** In words, on average: shorter cells are those of a table, not of text that runs down a column. */
const RUNNING_WORDS = 4;
/** Share of the lines of a column that go on in the next one. */
const RUNNING = 0.5;

const wordsIn = (text: string) => text.split(/\s+/).length;

/**
 * Whether text runs down each column, as in a leaflet: a line goes on in the one below it, not in the one beside.
 * @param rows cells by column; '' where a row has none
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
