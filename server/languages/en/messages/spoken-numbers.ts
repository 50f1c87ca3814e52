import { DIGITS, TENS, TO_NINETEEN } from '../number-names.ts';

const scales: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000 };
const times: Readonly<Record<string, number>> = { double: 2, triple: 3 };

/** Number words, without "and". */
export const numberWords: readonly string[] = [
  ...TO_NINETEEN,
  ...TENS,
  ...Object.keys(scales),
  'oh',
  'nought',
  ...Object.keys(times),
];

/**
 * Converts number words and figures to digits: said digit by digit ("double four seven one"), in pairs
 * ("forty-four seventy-one") or as one number ("four thousand four hundred and seventy-one").
 */
export function numberOf(run: readonly string[]): string {
  let number = '';
  let repeats = 1;
  for (let at = 0; at < run.length; ) {
    const said = run[at] ?? '';
    if (said === 'and') at++;
    else if (said in times) {
      repeats = times[said] ?? 1;
      at++;
    } else {
      const group = said in scales ? { figures: '1', end: at } : smallIn(run, at);
      const { figures, end } = (run[group.end] ?? '') in scales ? scaledIn(run, group) : group;
      number += figures.repeat(repeats);
      repeats = 1;
      at = end;
    }
  }
  return number;
}

interface Group {
  figures: string;
  /** Index after it. */
  end: number;
}

/** "Seven", "forty-four", "12". */
function smallIn(run: readonly string[], at: number): Group {
  const said = run[at] ?? '';
  const ten = TENS.indexOf(said);
  if (ten < 0) return { figures: figureOf(said), end: at + 1 };
  const unit = DIGITS.indexOf(run[at + 1] ?? '');
  return unit > 0
    ? { figures: `${ten + 2}${unit}`, end: at + 2 }
    : { figures: String((ten + 2) * 10), end: at + 1 };
}

/** "Four thousand two hundred and seven", after the "four". */
function scaledIn(run: readonly string[], first: Group): Group {
  let total = 0;
  let group = Number(first.figures);
  let end = first.end;
  for (;;) {
    const scale = scales[run[end] ?? ''];
    if (scale === undefined) return { figures: String(total + group), end };
    end++;
    if (scale === 1_000) {
      total += group * scale;
      group = 0;
    } else group *= scale;
    const next = run[end] === 'and' ? end + 1 : end;
    if (!isSmall(run[next])) continue;
    const small = smallIn(run, next);
    // "Four hundred, four hundred": a second number begins.
    if (group > 0 && run[small.end] === 'hundred') continue;
    if (total > 0 && run[small.end] === 'thousand') continue;
    group += Number(small.figures);
    end = small.end;
  }
}

const isSmall = (said = '') => TO_NINETEEN.includes(said) || TENS.includes(said) || /^\d{1,3}$/.test(said);

const figureOf = (said: string) => {
  if (/^\d+$/.test(said)) return said;
  if (said === 'oh' || said === 'nought') return '0';
  return String(TO_NINETEEN.indexOf(said));
};
