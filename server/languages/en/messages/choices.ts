import { normalize } from '../words.ts';

const ordinals: [RegExp, number][] = [
  [/\b(?:first|1st|former)\b/, 0],
  [/\b(?:second|2nd)\b/, 1],
  [/\b(?:third|3rd)\b/, 2],
];

/** Index of the option picked by position: "the second one", "the last". Null if none. */
export function placeIn(message: string, options: number): number | null {
  const said = normalize(message)
    .replace(/(?<![\s.!?,])[\s.!?,]+$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (/\blast (?:one|of)?\b/.test(said) && options > 0) return options - 1;
  const ordinal = ordinals.find(([pattern]) => pattern.test(said));
  const isPick = /\bone\b|\boption\b|^the \w+$|^\w+$/.test(said);
  return ordinal && isPick && ordinal[1] < options ? ordinal[1] : null;
}
