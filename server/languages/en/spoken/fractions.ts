import { cardinal } from './number-words.ts';

const DENOMINATORS: Readonly<Record<number, [string, string]>> = {
  2: ['half', 'halves'],
  3: ['third', 'thirds'],
  4: ['quarter', 'quarters'],
  5: ['fifth', 'fifths'],
  6: ['sixth', 'sixths'],
  7: ['seventh', 'sevenths'],
  8: ['eighth', 'eighths'],
  9: ['ninth', 'ninths'],
  10: ['tenth', 'tenths'],
  12: ['twelfth', 'twelfths'],
  16: ['sixteenth', 'sixteenths'],
};
/** Usual maximums of a score: "5/5 stars", "85/100". */
const BEST = new Set([5, 10, 20, 50, 100]);

/**
 * "1/2" → "half", "2 3/4" → "two and three quarters", "5/5" → "five out of five"; two numbers that are
 * neither a fraction nor a score are read literally: "500/500" → "five hundred slash five hundred".
 */
export function fraction(whole: string | undefined, top: string, bottom: string): string {
  const names = DENOMINATORS[Number(bottom)];
  const n = Number(top);
  if (!names || n >= Number(bottom) || n === 0) {
    const mixed = whole ? `${cardinal(Number(whole))} ` : '';
    const joint = n <= Number(bottom) && BEST.has(Number(bottom)) ? 'out of' : 'slash';
    return `${mixed}${cardinal(n)} ${joint} ${cardinal(Number(bottom))}`;
  }
  const part = n === 1 ? names[0] : names[1];
  const share = n === 1 && bottom === '2' ? 'half' : `${cardinal(n)} ${part}`;
  if (!whole) return share;
  return `${cardinal(Number(whole))} and ${n === 1 ? `a ${part}` : share}`;
}
