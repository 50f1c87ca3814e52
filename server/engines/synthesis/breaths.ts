import { breathesBefore } from './spoken-language.ts';

/**
 * The voice makes a piece in one go, and the memory it takes grows with the longest piece ever made: some 230 MB for
 * 80 characters, 300 MB for 120, 900 MB for 480.
 */
const MAX_PIECE = 120;
const MIN_PIECE = 40;

/**
 * Divides words into pieces that are spoken in one breath: at the ends of sentences; a long sentence at a comma; a very
 * long one between words.
 * @param words as `spokenForm` made them
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

/** The comma nearest to the middle of what may be said at once, else the last space, else anywhere. */
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
