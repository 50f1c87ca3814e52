/** Brackets that cite hold no more characters. */
const LONGEST = 12;
const CITATION = /(?<!\s)\s*\[(\d+(?:\s*,\s*\d+)*)\]/g;

/** A sentence without the space that a citation before its mark left behind: "45 days ." */
export const tidied = (sentence: string): string => sentence.replace(/(?<! ) +(?=[.,](?:\s|$))/g, '');

/**
 * Takes "[2]" and "[1, 3]" out of a text that comes in pieces, wherever it is cut.
 * @param onCited told each number
 */
export async function* withoutCitations(
  pieces: AsyncIterable<string>,
  onCited: (number: number) => void,
): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text = (text + piece).replace(CITATION, (_, numbers: string) => {
      for (const number of numbers.split(',')) onCited(Number(number));
      return '';
    });
    // What may become a citation waits for its end.
    const open = /\[[\d,\s]*$/.exec(text);
    const end = open && text.length - open.index <= LONGEST ? open.index : text.length;
    if (end > 0) yield text.slice(0, end);
    text = text.slice(end);
  }
  if (text !== '') yield text;
}
