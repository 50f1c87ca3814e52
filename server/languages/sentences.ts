/**
 * Never end a sentence: something always follows. Titles, "e.g.", "No. 5", "approx. 20 min".
 */
const leading = new Set(
  `u.s u.k u.s.a e.u e.g i.e eg ie z.b d.h u.a p.ej vs viz cf mr mrs ms dr prof rev hon st ste mt ft ave blvd rd sr jr sra fig figs vol pp art arts sec
  approx abt ca nr nos bzw ggf inkl exkl zzgl opp betw tel ext ph fax str ref chem max min esp est dept gen col sgt capt lt cpl mme mlle`
    .split(/\s+/)
    .filter(Boolean),
);

/** May end a sentence: they do when what follows begins like one. "min 15 min. Quote good for …", "open till 5 p.m. Ring …". */
const closing = new Set(
  `etc usw incl excl exc inc ltd co corp gmbh plc llc a.m p.m am pm ph.d min mins max hr hrs sec secs wk wks yr yrs mth mths
  approx appt appts dept est ext no mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec`
    .split(/\s+/)
    .filter(Boolean),
);

const months =
  /^(?:jan|feb|mar|mär|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec|ene|abr|ago|dic|fév|avr|juin|juil|août|déc)/i;

/** Marks that end a sentence; those of scripts without spaces need none behind them. */
const boundary = /[.!?…]+["'”’»)\]]*(?=\s|$)|[。！？｡]+[」』”）]*|[؟।]+(?=\s|$)|[.!?](?=\p{Lu}[\p{Ll}\s])/gu;

/**
 * Splits prose into sentences, closing marks included.
 * A full stop ends none in numbers, addresses, initials and everyday abbreviations.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].length;
    // Only what stands near the mark decides; whole rests would cost the square of the length.
    const before = text.slice(Math.max(start, match.index - 60), match.index);
    const next = text.slice(end, end + 40);
    if (next.trim() && !endsHere(before, match[0], next)) continue;
    const whole = text.slice(start, end).trim();
    if (whole) sentences.push(whole);
    start = end;
  }
  const rest = text.slice(start).trim();
  if (rest) sentences.push(rest);
  return sentences;
}

function endsHere(before: string, mark: string, after: string): boolean {
  const next = after.trimStart();
  if (/[。！？｡؟।]/.test(mark)) return true;
  // Sentences glued together ("grow up strong.But did you") end; names with a dot (Node.Js, e.Bay) do not.
  if (next === after) return /(?:\p{Ll}{3}|\d|\))$/u.test(before) && !/[/@]\S*$|www\.\S*$/i.test(before);
  if (/[!?]/.test(mark)) return !/^["'”’)\]]*\p{Ll}/u.test(next);
  if (/^[\w.+-]+@\w/.test(next)) return true;
  // An ellipsis and a small letter go on; so do a dash and a comma.
  if (/^["'“‘«([]*[\p{Ll}]|^[,;:–—-]\s/u.test(next)) return false;
  // Nothing begins with "=" or "+"; what stands in brackets stays together ("(upd. Sept 26)").
  if (/^[=+/&<>)\]%]/.test(next)) return false;
  if (/\([^)]*$/.test(before) && !mark.includes(')') && /^[^(]{0,38}\)/.test(next)) return false;
  if (!mark.startsWith('.') || mark.startsWith('..')) return true;
  const word = /[^\s("'“‘«[]+$/.exec(before)?.[0] ?? '';
  const lower = word.toLowerCase();
  if (/^\p{Lu}$/u.test(word)) return !isInitial(before, next);
  if (/^\p{Ll}$/u.test(word)) return false;
  // "3. Returns": a number that stands alone counts, it does not tell; "am 3. März" goes on.
  if (/^\s*\(?\d{1,3}$/.test(before) && before.trim() === word) return false;
  if (/^\d{1,2}$/.test(word) && months.test(next)) return false;
  if (lower === 'no' || lower === 'nos' || lower === 'nr') return lower === 'no' && !/^\d/.test(next);
  if (leading.has(lower) && !closing.has(lower)) return false;
  if ((closing.has(lower) || /^\p{L}\.\p{L}$/u.test(lower)) && !mark.includes(')')) {
    const following = /^[\p{L}.]+/u.exec(next)?.[0].replace(/\.$/, '').toLowerCase() ?? '';
    return (
      /^["'“‘«([]*[\p{Lu}£$€]/u.test(next) && !(closing.has(following) && next[following.length] === '.')
    );
  }
  return true;
}

/** "J. Smith", "John F. Kennedy"; but a capital after a small word closes what was said ("with vitamin C. Take"). */
const isInitial = (before: string, next: string) =>
  /^\p{Lu}/u.test(next) && !/(?:^|\s)\p{Ll}+\s\p{Lu}$/u.test(before);
