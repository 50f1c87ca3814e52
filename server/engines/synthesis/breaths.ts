import { breathesBefore } from './spoken-language.ts';

/**
 * Longest piece in characters. The voice makes a piece at once, and its memory grows with the longest piece
 * so far: some 230 MB for 80 characters, 300 MB for 120, 900 MB for 480.
 */
const MAX_PIECE = 120;
const MIN_PIECE = 40;

/**
 * Divides text into pieces that are spoken in one breath: at the ends of sentences; a long sentence at a
 * comma; a very long one between words.
 * @param words the output of `spokenForm`
 */
export function breaths(words: string): string[] {
  return words
    .split(/(?<=[.!?]) +/)
    .flatMap(divide)
    .filter((piece) => /\p{L}/u.test(piece));
}

function divide(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_PIECE) {
    const at = placeToBreathe(rest);
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return [...pieces, rest];
}

/** The comma nearest to the middle of the longest piece, else the last space, else anywhere. */
function placeToBreathe(text: string): number {
  const reach = text.slice(0, MAX_PIECE);
  const halves = Math.ceil(text.length / Math.ceil(text.length / MAX_PIECE));
  const marks = [...reach.matchAll(/[,;:] /g)].map((mark) => mark.index + 1).filter((at) => at >= MIN_PIECE);
  if (marks.length > 0) return nearest(marks, halves);
  const spaces = [...reach.matchAll(breathesBefore)]
    .map((space) => space.index)
    .filter((at) => at >= MIN_PIECE);
  if (spaces.length > 0) return nearest(spaces, halves);
  const space = reach.lastIndexOf(' ');
  return space > 0 ? space : MAX_PIECE;
}

const nearest = (places: readonly number[], goal: number) =>
  places.reduce((best, place) => (Math.abs(place - goal) < Math.abs(best - goal) ? place : best));
