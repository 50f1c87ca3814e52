import type { AST } from '@eslint-community/regexpp';
import { JS } from 'refa';
import { analyse } from 'scslre';
import { nameOf, type SourceFile, syntaxTreeOf, visit } from './syntax-tree.ts';

/** A regular expression and its place in the source. */
export interface Pattern {
  source: string;
  flags: string;
  /** `server/dialogue/said.ts:5` */
  place: string;
}

/** @returns the regular expression literals of a file */
export function patternsIn(file: SourceFile): Pattern[] {
  const patterns: Pattern[] = [];
  visit(syntaxTreeOf(file), (node) => {
    if (node.type !== 'Literal' || typeof node.start !== 'number') return;
    // Parsed elsewhere, they are not instances of this realm's `RegExp`.
    const written = /^\/(.*)\/([a-z]*)$/s.exec(file.text.slice(node.start, Number(node.end)));
    if (!('regex' in node) || !written) return;
    const [, source = '', flags = ''] = written;
    const line = file.text.slice(0, node.start).split('\n').length;
    patterns.push({ source, flags, place: `${file.path}:${line}` });
  });
  return patterns;
}

/** @returns whether a file builds regular expressions at run time */
export function makesPatterns(file: SourceFile): boolean {
  let makes = false;
  visit(syntaxTreeOf(file), ({ type, callee }) => {
    if (/^(?:New|Call)Expression$/.test(type) && nameOf(callee) === 'RegExp') makes = true;
  });
  return makes;
}

/**
 * Records the regular expressions built while something runs, such as the import of a module.
 * @returns those built by the product's own files
 */
export async function patternsMadeBy(run: () => Promise<void> | void): Promise<Pattern[]> {
  const made: Pattern[] = [];
  const known = globalThis.RegExp;
  const record = (pattern: RegExp): RegExp => {
    const [, , , maker = ''] = (new Error('made here').stack ?? '').split('\n');
    const place = /\/((?:server|shared)\/[^:?]+\.ts)[^:]*:(\d+)/.exec(maker);
    if (place) made.push({ source: pattern.source, flags: pattern.flags, place: `${place[1]}:${place[2]}` });
    return pattern;
  };
  globalThis.RegExp = new Proxy(known, {
    construct: (target, args, newTarget) => record(Reflect.construct(target, args, newTarget)),
    apply: (target, self, args) => record(Reflect.apply(target, self, args)),
  });
  try {
    await run();
  } finally {
    globalThis.RegExp = known;
  }
  return made;
}

/**
 * Whether a pattern's form allows more than linear time: quantifiers with overlapping matches, or a
 * repetition that can start at each of its own characters.
 * @returns the reason, and a text whose repetition shows it; null if none
 */
export function superlinear({ source, flags }: Pattern): string | null {
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  if (!report) return null;
  const growth = report.exponential ? 'exponential' : 'quadratic or worse';
  return `${growth} over ${JSON.stringify(report.character.pick)} repeated`;
}

/** Sample characters for a class, if it contains them. */
const TRIED = [...'a1 .-A(\n"\'@/,;:!?…|_*é'].map((character) => character.codePointAt(0) ?? 0);
/** Most sample characters per class. */
const OF_A_CLASS = 3;
/** A quantifier with a lower maximum cannot make a pattern slow. */
const MANY = 10;

/**
 * Worst-case texts for a pattern: for each quantifier its prefix and one repetition, repeated with and
 * without a space between, and the repetition alone; each with an end that nothing matches.
 */
export function attacksOn({ source, flags }: Pattern, length: number): Set<string> {
  const parsed = JS.Parser.fromLiteral({ source, flags });
  const texts = new Set<string>();

  /** Sample characters that a node matches. */
  const charactersOf = (node: AST.Character | AST.CharacterClass | AST.CharacterSet): string[] => {
    const { expression } = parsed.parseElement(node, { assertions: 'ignore' });
    const first = expression.alternatives[0]?.elements[0];
    if (first?.type !== 'CharacterClass') return [''];
    const { characters } = first;
    const fitting = TRIED.filter((each) => characters.has(each));
    const any = characters.ranges[0]?.min;
    return (fitting.length > 0 ? fitting : any === undefined ? [] : [any])
      .slice(0, OF_A_CLASS)
      .map((each) => String.fromCodePoint(each));
  };
  const isCharacters = (node: AST.Node): node is AST.Character | AST.CharacterClass | AST.CharacterSet =>
    node.type === 'Character' || node.type === 'CharacterClass' || node.type === 'CharacterSet';
  /** Approximately the shortest text that a node matches. */
  const sampleOf = (node: AST.Element | AST.Alternative | undefined): string => {
    if (!node) return '';
    if (isCharacters(node)) return charactersOf(node)[0] ?? '';
    if (node.type === 'Alternative') return node.elements.map(sampleOf).join('');
    if (node.type === 'Group' || node.type === 'CapturingGroup') return sampleOf(node.alternatives[0]);
    return node.type === 'Quantifier' ? sampleOf(node.element).repeat(Math.min(node.min, 30)) : '';
  };
  const add = (piece: string, before = '') => {
    if (piece)
      texts.add(`${(before + piece.repeat(Math.ceil(length / piece.length))).slice(0, length)}\u0001`);
  };
  const attack = (node: AST.Pattern | AST.Alternative | AST.Element, before: string): void => {
    if (node.type === 'Alternative') {
      let lead = before;
      for (const element of node.elements) {
        attack(element, lead);
        lead += sampleOf(element);
      }
    } else if (node.type === 'Quantifier') {
      if (node.max >= MANY)
        for (const one of isCharacters(node.element)
          ? charactersOf(node.element)
          : [sampleOf(node.element)]) {
          add(before + one);
          add(`${before}${one} `);
          add(one, before);
        }
      attack(node.element, before);
    } else if ('alternatives' in node)
      for (const each of node.alternatives) if (each.type === 'Alternative') attack(each, before);
  };
  attack(parsed.ast.pattern, '');
  return texts;
}
