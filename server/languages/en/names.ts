/** Longer names may differ by one letter: recognition often mishears names. */
const TOLERANT_FROM = 5;

/** Whether a lower-case word is a name as recognition may write it. */
export function isName(word: string | undefined, name: string): boolean {
  if (word === undefined) return false;
  const said = word.replace(/'s$/, '') === word ? word : '';
  if (said === name) return true;
  return name.length >= TOLERANT_FROM && said.length >= TOLERANT_FROM - 1 && isOneLetterAway(said, name);
}

/** Whether one insertion, deletion or replacement turns one word into the other. */
function isOneLetterAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  const behind = short.length === long.length ? same + 1 : same;
  return short.slice(behind) === long.slice(same + 1);
}
