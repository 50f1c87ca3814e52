/** Numbers below a hundred in a language without a pack. */
interface SaidNumbers {
  /** 0 to 19 in order, with alternatives separated by "/". */
  small: string;
  /** 20, 30 to 90. */
  tens: string;
  /** Joins tens and a unit as separate words: "treinta y uno". */
  joint?: string;
  /** Joins a unit and the following tens in one word: "einundvierzig". */
  inOneWord?: string;
  /** "Doppel vier" is 44. */
  double?: string;
}

const languages: readonly SaidNumbers[] = [
  // German
  {
    small:
      'null eins/ein/eine zwei/zwo drei vier fünf/fuenf sechs sieben acht neun zehn elf zwölf/zwoelf dreizehn vierzehn fünfzehn/fuenfzehn sechzehn siebzehn achtzehn neunzehn',
    tens: 'zwanzig dreißig/dreissig vierzig fünfzig/fuenfzig sechzig siebzig achtzig neunzig',
    inOneWord: 'und',
    double: 'doppel/doppelt',
  },
  // Dutch
  {
    small:
      'nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
    tens: 'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    inOneWord: 'en/ën',
    double: 'dubbel',
  },
  // French; 70 and 90 continue from 60 and 80 with the following number.
  {
    small:
      'zéro/zero un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
    tens: 'vingt trente quarante cinquante soixante septante quatre-vingt/quatre-vingts/huitante nonante',
    joint: 'et',
    double: 'double',
  },
  // Spanish
  {
    small:
      'cero uno/un/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve',
    tens: 'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    joint: 'y',
    double: 'doble',
  },
  // Italian
  {
    small:
      'zero uno/un due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
    tens: 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    double: 'doppio',
  },
  // Portuguese
  {
    small:
      'zero um/uma dois/duas três/tres quatro cinco seis/meia sete oito nove dez onze doze treze catorze/quatorze quinze dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove',
    tens: 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    joint: 'e',
    double: 'duplo',
  },
  // Polish
  {
    small:
      'zero jeden dwa trzy cztery pięć/piec sześć/szesc siedem osiem dziewięć/dziewiec dziesięć/dziesiec jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście',
    tens: 'dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt',
  },
  // Czech
  {
    small:
      'nula jedna/jeden dva tři čtyři pět šest sedm osm devět deset jedenáct dvanáct třináct čtrnáct patnáct šestnáct sedmnáct osmnáct devatenáct',
    tens: 'dvacet třicet čtyřicet padesát šedesát sedmdesát osmdesát devadesát',
  },
  // Danish, Norwegian and Swedish
  {
    small:
      'nul/null/noll en/et/ett/én to/två/tva tre fire/fyra fem seks/sex syv/sju otte/åtte/åtta ni/nio ti/tio elleve/elva tolv tretten/tretton fjorten/fjorton femten/femton seksten/sexton sytten/sjutton atten/arton nitten/nitton',
    tens: 'tyve/tjue/tjugo tredive/tretti/trettio fyrre/førti/fyrtio halvtreds/femti/femtio tres/seksti/sextio halvfjerds/sytti/sjuttio firs/åtti/åttio halvfems/nitti/nittio',
    inOneWord: 'og',
  },
  // Turkish
  {
    small:
      'sıfır/sifir bir iki üç/uc dört/dort beş/bes altı/alti yedi sekiz dokuz on onbir oniki onüç ondört onbeş onaltı onyedi onsekiz ondokuz',
    tens: 'yirmi otuz kırk/kirk elli altmış/altmis yetmiş/yetmis seksen doksan',
  },
];

/** Shorter runs of digits are not sensitive numbers, and their words may have other meanings. */
const LEAST = 7;

type Value = { figures: string } | 'double' | 'joint';

const known = languages.map(valuesOf);

/**
 * Converts long spoken numbers in languages without a pack to digits: "vier eins eins eins …". Short ones
 * stay: "un" and "sex" are other words in other languages.
 */
export const withFiguresElsewhere = (text: string): string =>
  known.reduce((written, values) => withFiguresOf(written, values), text);

function withFiguresOf(text: string, values: ReadonlyMap<string, Value>): string {
  const parts = text.split(/([\p{L}\p{N}-]+)/u);
  const out: string[] = [];
  let at = 0;
  while (at < parts.length) {
    const run = runAt(parts, at, values);
    if (run.figures.length >= LEAST && run.words > 1) {
      out.push(run.figures);
      at = run.end;
    } else out.push(parts[at++] ?? '');
  }
  return out.join('');
}

/** The longest number from an index: words and digits with little in between. */
function runAt(parts: readonly string[], start: number, values: ReadonlyMap<string, Value>) {
  const run = { figures: '', words: 0, end: start };
  if (start % 2 === 0) return run;
  let times = 1;
  let ten = '';
  let before: Value | null = null;
  for (let at = start; at < parts.length; at += 2) {
    const word = (parts[at] ?? '').toLowerCase();
    const value = /^\d+$/.test(word) ? { figures: word } : values.get(word);
    if (value === undefined || (at > start && !/^[\s,.]{0,3}$/.test(parts[at - 1] ?? ''))) break;
    // Several joining words in a row are no number; without this check each would be read to the end.
    if (value === before && typeof value === 'string') break;
    if (value === 'joint' && run.words === 0) break;
    before = value;
    if (value === 'double') times = 2;
    else if (value !== 'joint') {
      // "Treinta y uno" and "trente et un" are one number.
      const isUnit = ten !== '' && value.figures.length === 1;
      run.figures = isUnit
        ? `${run.figures.slice(0, -1)}${value.figures}`
        : run.figures + value.figures.repeat(times);
      ten = !isUnit && /^[2-9]0$/.test(value.figures) && !/^\d/.test(word) ? value.figures : '';
      times = 1;
      run.words++;
      run.end = at + 1;
    }
  }
  return run;
}

function valuesOf({ small, tens, joint, inOneWord, double }: SaidNumbers): Map<string, Value> {
  const values = new Map<string, Value>();
  const smallWords = small.split(' ').map((same) => same.split('/'));
  const tenWords = tens.split(' ').map((same) => same.split('/'));
  for (const [n, same] of smallWords.entries())
    for (const word of same) values.set(word, { figures: `${n}` });
  for (const [n, same] of tenWords.entries()) {
    for (const word of same) values.set(word, { figures: `${n + 2}0` });
    for (const and of inOneWord?.split('/') ?? [])
      for (const [unit, units] of smallWords.slice(1, 10).entries())
        for (const one of units)
          for (const word of same) values.set(`${one}${and}${word}`, { figures: `${n + 2}${unit + 1}` });
  }
  if (joint) values.set(joint, 'joint');
  for (const word of double?.split('/') ?? []) values.set(word, 'double');
  return values;
}
