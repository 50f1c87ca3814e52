import { RE2JS } from 're2js';
import { type Reason, refusal, sentenceOf } from '#shared/refusals/refusal';

/** A regular expression in RE2 syntax. */
export interface LinearSource {
  source: string;
  /** Upper limit of its instructions. */
  size: number;
  /** Number of Unicode properties in it. */
  properties: number;
}

/** With values of 500 characters there are patterns of `.{1,500}`; one of these takes 1,000. */
const MAX_SIZE = 1_200;
/** RE2's limit. */
const MAX_REPEATS = 1_000;

const PROPERTY = refusal('actions.pattern-property', { examples: '\\p{L} or \\p{Script=Greek}' });

/**
 * Translates a JavaScript regular expression with flag u to RE2, with the same meaning for a whole value.
 * Each literal character is written as its number, so that none has a special meaning.
 * @returns the reason if RE2 does not support it, or if it is too large
 */
export function linearSource(pattern: string): LinearSource | { problem: Reason } {
  try {
    new RegExp(pattern, 'u');
  } catch {
    return { problem: 'actions.pattern-invalid' };
  }
  try {
    return new Translation(pattern).whole();
  } catch (error) {
    if (error instanceof Unknown) return { problem: error.reason };
    throw error;
  }
}

class Unknown extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(sentenceOf(reason));
    this.reason = reason;
  }
}

interface Part {
  source: string;
  size: number;
}

/** ECMAScript, 22.2: white space and line ends; the characters that `.` does not match. */
const SPACE = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const;
const LAST = 0x10ffff;

const numbered = (point: number) => `\\x{${point.toString(16)}}`;
const written = (ranges: readonly (readonly [number, number])[]) =>
  ranges.map(([from, to]) => `${numbered(from)}-${numbered(to)}`).join('');
const others = SPACE.map(([from], at) => [(SPACE[at - 1]?.[1] ?? -1) + 1, from - 1] as const);
const spaces: Readonly<Record<string, string>> = {
  s: written(SPACE),
  S: written([...others, [0xff00, LAST]]),
};
const ALL = written([[0, LAST]]);
const NOT_LINE_END = `[^${[0xa, 0xd, 0x2028, 0x2029].map(numbered).join('')}]`;
const controls: Readonly<Record<string, number>> = { t: 0x9, n: 0xa, v: 0xb, f: 0xc, r: 0xd, 0: 0 };

/** Long names of categories; RE2 supports only the short ones. */
const categories: Readonly<Record<string, string>> = {
  Letter: 'L',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  Punctuation: 'P',
  Symbol: 'S',
  Currency_Symbol: 'Sc',
  Separator: 'Z',
  Space_Separator: 'Zs',
};

/** The pattern is valid in JavaScript, so its syntax is not checked again. */
class Translation {
  readonly #points: string[];
  #at = 0;
  #properties = 0;

  constructor(pattern: string) {
    this.#points = [...pattern];
  }

  whole(): LinearSource {
    const part = this.#choice();
    if (part.size > MAX_SIZE) throw new Unknown('actions.pattern-repeats');
    return { ...part, properties: this.#properties };
  }

  #next(): string {
    return this.#points[this.#at++] ?? '';
  }

  #takes(text: string): boolean {
    const isThere = [...text].every((point, n) => this.#points[this.#at + n] === point);
    if (isThere) this.#at += text.length;
    return isThere;
  }

  /** The text before a mark; moves past the mark. */
  #until(mark: string): string {
    let text = '';
    for (let point = this.#next(); point !== mark && point !== ''; point = this.#next()) text += point;
    return text;
  }

  #choice(): Part {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return {
      source: parts.map(({ source }) => source).join('|'),
      size: parts.reduce((sum, { size }) => sum + size + 1, 0),
    };
  }

  #sequence(): Part {
    let source = '';
    let size = 0;
    while (this.#at < this.#points.length && !['|', ')'].includes(this.#points[this.#at] ?? '')) {
      const part = this.#repeated(this.#term());
      source += part.source;
      size += part.size;
    }
    return { source, size };
  }

  #term(): Part {
    const point = this.#next();
    switch (point) {
      case '^':
      case '$':
        return { source: point, size: 1 };
      case '.':
        return { source: NOT_LINE_END, size: 1 };
      case '(':
        return this.#group();
      case '[':
        return { source: this.#class(), size: 1 };
      case '\\':
        return { source: this.#escape(), size: 1 };
      default:
        return { source: literal(point), size: 1 };
    }
  }

  #group(): Part {
    if (this.#takes('?') && !this.#takes(':')) {
      if (!this.#takes('<') || ['=', '!'].includes(this.#points[this.#at] ?? ''))
        throw new Unknown('actions.pattern-looks');
      this.#until('>');
    }
    const { source, size } = this.#choice();
    this.#next();
    return { source: `(?:${source})`, size };
  }

  #repeated(part: Part): Part {
    const { source, size } = part;
    const mark = this.#points[this.#at] ?? '';
    let repeated: Part;
    if (['*', '+', '?'].includes(mark)) {
      this.#at++;
      repeated = { source: source + mark, size: size + 2 };
    } else if (this.#takes('{')) {
      const [least = '', most = least] = this.#until('}').split(',');
      const [from, to] = [Number(least), most === '' ? Number(least) : Number(most)];
      if (to > MAX_REPEATS) throw new Unknown('actions.pattern-repeats');
      repeated = {
        source: `${source}{${from}${most === least ? '' : `,${most === '' ? '' : to}`}}`,
        size: Math.max(1, size) * Math.max(1, to) + (to - from) + 2,
      };
      if (repeated.size > MAX_SIZE) throw new Unknown('actions.pattern-repeats');
    } else return part;
    // Laziness makes no difference when the whole value must match.
    this.#takes('?');
    return repeated;
  }

  /** Outside a class, after the backslash. */
  #escape(): string {
    const point = this.#points[this.#at] ?? '';
    if (/[1-9k]/.test(point)) throw new Unknown('actions.pattern-looks');
    if (/[bB]/.test(point)) return `\\${this.#next()}`;
    const set = this.#set();
    return set === null ? numbered(this.#character()) : `[${set}]`;
  }

  #class(): string {
    const isNegated = this.#takes('^');
    let items = '';
    while (!this.#takes(']')) {
      const from = this.#classItem();
      const isRange = this.#points[this.#at] === '-' && this.#points[this.#at + 1] !== ']';
      if (isRange) this.#at++;
      items += isRange ? `${from}-${this.#classItem()}` : from;
    }
    if (items === '') return isNegated ? `[${ALL}]` : `[^${ALL}]`;
    return `[${isNegated ? '^' : ''}${items}]`;
  }

  #classItem(): string {
    const point = this.#next();
    if (point !== '\\') return literal(point);
    if (this.#takes('b')) return numbered(0x8);
    return this.#set() ?? numbered(this.#character());
  }

  /** Digits, words, white space and properties, in class syntax; null for a single character. */
  #set(): string | null {
    const kind = this.#points[this.#at] ?? '';
    if (!/[dDwWsSpP]/.test(kind)) return null;
    this.#at += kind === 'p' || kind === 'P' ? 2 : 1;
    if (/[dDwW]/.test(kind)) return `\\${kind}`;
    return spaces[kind] ?? this.#property(kind, this.#until('}'));
  }

  #property(kind: string, written: string): string {
    this.#properties++;
    const [, name = '', value] = /^([^=]*)(?:=(.*))?$/.exec(written) ?? [];
    const isKnownName = value === undefined || /^(?:gc|General_Category|sc|Script)$/.test(name);
    const plain = value ?? name;
    const property = categories[plain] ?? plain;
    if (!isKnownName || !isProperty(property)) throw new Unknown(PROPERTY);
    return `\\${kind}{${property}}`;
  }

  /** The code point of an escaped character. */
  #character(): number {
    const point = this.#next();
    if (point === 'x') return Number.parseInt(this.#next() + this.#next(), 16);
    if (point === 'c') return (this.#next().codePointAt(0) ?? 0) % 32;
    if (point !== 'u') return controls[point] ?? point.codePointAt(0) ?? 0;
    if (this.#takes('{')) return Number.parseInt(this.#until('}'), 16);
    const unit = this.#unit();
    // Two units may form one character.
    if (unit >= 0xd800 && unit < 0xdc00 && this.#takes('\\u')) {
      const second = this.#unit();
      if (second >= 0xdc00 && second < 0xe000) return 0x10000 + (unit - 0xd800) * 0x400 + second - 0xdc00;
    }
    if (unit >= 0xd800 && unit < 0xe000) throw new Unknown('actions.pattern-invalid');
    return unit;
  }

  #unit = () => Number.parseInt([1, 2, 3, 4].map(() => this.#next()).join(''), 16);
}

const literal = (point: string) => numbered(point.codePointAt(0) ?? 0);

/** Cache; JavaScript knows some hundred names. */
const known = new Map<string, boolean>();
function isProperty(name: string): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  let isIt = true;
  try {
    RE2JS.compile(`\\p{${name}}`);
  } catch {
    isIt = false;
  }
  known.set(name, isIt);
  return isIt;
}
