const abbreviations =
  /(?:\b(?:e\.g|i\.e|etc|vs|approx|no|nos|mr|mrs|ms|dr|prof|st|ave|blvd|rd|inc|ltd|co|corp|dept|est|min|max|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|tel|ext|fig|al|u\.s|u\.k|a\.m|p\.m|ph\.d)|\b[A-Z])\.$/i;

/**
 * Splits prose into sentences, closing marks included.
 * A full stop ends none in numbers, addresses, initials and everyday abbreviations.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  const boundary = /[.!?]+["')\]]*(?=\s|$)/g;
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].length;
    // Only what stands near the mark decides; whole rests would cost the square of the length.
    const sentence = text.slice(Math.max(start, end - 60), end);
    const next = text.slice(end, end + 40).trimStart();
    if (next && !endsHere(sentence, match[0], next)) continue;
    const whole = text.slice(start, end).trim();
    if (whole) sentences.push(whole);
    start = end;
  }
  const rest = text.slice(start).trim();
  if (rest) sentences.push(rest);
  return sentences;
}

function endsHere(sentence: string, mark: string, next: string): boolean {
  if (/[!?]/.test(mark)) return true;
  if (/^[a-z]/.test(next)) return false;
  if (/\b(a\.m|p\.m)\.$/i.test(sentence)) return /^["'(]?[A-Z]/.test(next);
  if (/\b(etc|Inc|Ltd|Co|Corp)\.$/.test(sentence)) return /^["'(]?[A-Z]/.test(next);
  if (/^\s*\(?\d{1,2}\.$/.test(sentence)) return false;
  if (/\bno\.$/i.test(sentence)) return !/^\d/.test(next);
  return !abbreviations.test(sentence);
}
