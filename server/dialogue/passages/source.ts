import { htmlTagNames } from 'html-tag-names';

/** Private marks that travel through the parsers: what is bold, and a break that the business made on purpose. */
export const BOLD = '\uE000';
export const END_BOLD = '\uE001';
export const BREAK = '\u2028';

/** Attribute of the element that holds the title of a page: a pasted collection has many. */
export const PAGE = 'data-page';
/** Attribute of a row that holds how far it was indented. */
export const INDENT = 'data-indent';

const tagNames: ReadonlySet<string> = new Set(htmlTagNames);

/** Whether the whole text is one HTML page (or a piece of one), so that Markdown has no say in it. */
export function isHtml(text: string): boolean {
  if (/^\s*(?:<!doctype\s+html|<html[\s>])/i.test(text)) return true;
  if (/^ {0,3}#{1,6}\s/m.test(text)) return false;
  const lines = text.split('\n').filter((line) => line.trim());
  const tagged = lines.filter((line) => /^\s*<\/?[a-z][a-z0-9]*[\s>/]/.test(line)).length;
  return (
    lines.length > 1 && tagged > lines.length * 0.6 && /<\/(?:p|div|li|td|h[1-6]|section|body)>/i.test(text)
  );
}

/** Odd spaces and line ends made plain; nothing that is read is changed. */
export const plainSpaces = (text: string) =>
  text
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/[^\P{Cc}\t\n]|[\u00ad\u200b\u2060\ufeff\ue000-\uf8ff]/gu, '')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');

/**
 * What a business pasted, made Markdown that a Markdown parser reads as it was meant: front matter, code of components
 * and comments gone, hand-typed columns made tables.
 */
export function toMarkdown(text: string): string {
  const lines = withoutComponents(text).split('\n').map(bearable);
  const out: string[] = [];
  let fence = '';
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? '';
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark && (!fence || (mark.startsWith(fence) && line.trim() === mark))) fence = fence ? '' : mark;
    if (fence || mark) {
      out.push(line);
      i++;
      continue;
    }
    // A table that Markdown knows is left to it, row by row.
    if (line.includes('|') && tableRule.test(lines[i + 1] ?? '')) {
      while (i < lines.length && (lines[i] ?? '').includes('|')) out.push(asText(lines[i++] ?? ''));
      continue;
    }
    const page = frontMatter(lines, i);
    const code = page ?? moduleCode(lines, i) ?? columns(lines, i);
    if (code) {
      out.push('', ...code.markdown, '');
      i = Math.max(code.next, i + 1);
      continue;
    }
    out.push(asText(line));
    i++;
  }
  return out.join('\n');
}

const tableRule = /^\s*(?:\|\s*)?:?--[\s|:-]*$/;

interface Replaced {
  markdown: string[];
  next: number;
}

const humanKeys = /^(title|heading|subtitle|description|summary|question|answer):\s*(?!\s)(.*)$/i;

/** What a reader is not shown, or what no longer holds. */
export const dropped: ReadonlySet<string> = new Set(
  `head script style template noscript svg math iframe object canvas audio video nav button select option textarea datalist map
  del s strike dialog`.split(/\s+/),
);

/** Swallow what follows as their own text when they are left open. */
const raw = ['title', 'xmp', 'noembed', 'noframes', 'plaintext'];

/** Without the tags that hide what follows and are left open: what they would swallow is text. */
export function withoutOpenEnds(text: string): string {
  let out = text;
  for (const tag of [...dropped, ...raw]) {
    const tags = new RegExp(`<(/?)${tag}(?=[\\s/>])[^<>]{0,2000}>?`, 'gi');
    const opened = Array.from(out.matchAll(tags), ([, slash]) => slash === '').filter(Boolean).length;
    if (opened === 0) continue;
    const closed = Array.from(out.matchAll(tags)).length - opened;
    if (opened > closed && tag !== 'head' && tag !== 'option') out = out.replace(tags, ' ');
  }
  return out.replace(/<(?=[?!]\[?)(?!!doctype\b)/gi, '&lt;');
}

/** A page's front matter, its title as the heading of the page and its description as prose. */
function frontMatter(lines: readonly string[], at: number): Replaced | null {
  if ((lines[at] ?? '').trim() !== '---' || !/^[A-Za-z_][\w -]{0,40}:(\s|$)/.test(lines[at + 1] ?? ''))
    return null;
  let end = at + 1;
  while (end < lines.length && end < at + 200 && (lines[end] ?? '').trimEnd() !== '---') {
    if (!/^(?:[A-Za-z_][\w -]{0,40}:(\s|$)|\s|-|#|$)/.test(lines[end] ?? '')) return null;
    end++;
  }
  if ((lines[end] ?? '').trimEnd() !== '---') return null;
  const found = new Map<string, string>();
  for (let i = at + 1; i < end; i++) {
    const entry = humanKeys.exec(lines[i] ?? '');
    if (!entry?.[1]) continue;
    let value = (entry[2] ?? '').trim();
    if (/^[>|][+-]?$/.test(value)) value = '';
    while (
      i + 1 < end &&
      /^\s+\S/.test(lines[i + 1] ?? '') &&
      !/^\s*(?:-\s|[\w-]+:\s)/.test(lines[i + 1] ?? '')
    )
      value += ` ${(lines[++i] ?? '').trim()}`;
    const unquoted = /^\s*(["'])(.*)\1\s*$/.exec(value)?.[2] ?? value.trim();
    if (unquoted) found.set(entry[1].toLowerCase(), unquoted.replaceAll('\\"', '"'));
  }
  const title = found.get('title') ?? found.get('heading') ?? '';
  const prose = ['subtitle', 'description', 'summary', 'question', 'answer']
    .map((key) => found.get(key) ?? '')
    .filter((value) => value && value !== title);
  return {
    markdown: [
      `<div ${PAGE}="">${escaped(title)}</div>`,
      '',
      ...prose.flatMap((value) => [escaped(value), '']),
    ],
    next: end + 1,
  };
}

/** Lines that a program reads: imports and exports of MDX. */
function moduleCode(lines: readonly string[], at: number): Replaced | null {
  const line = lines[at] ?? '';
  if (/^import\s(?:[^'"]{0,200}\sfrom\s+)?(['"])[^'"]+\1;?\s*$/.test(line))
    return { markdown: [], next: at + 1 };
  if (!/^export\s+(?:const|let|default|function|async)\b.*[={(]/.test(line)) return null;
  let next = at + 1;
  while (next < lines.length && (lines[next] ?? '').trim()) next++;
  return { markdown: [], next };
}

export const withoutComments = (text: string) =>
  without(without(without(text, '{/*', '*/}'), '<!--', '-->'), '{%', '%}');

/** The text without what stands between two marks; an opening mark without its closing one is text. */
function without(text: string, open: string, close: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, done)) {
    const end = text.indexOf(close, at + open.length);
    if (end === -1) break;
    out += `${text.slice(done, at)} `;
    done = end + close.length;
  }
  return out + text.slice(done);
}

/** Attributes of a component that a visitor of the page reads. */
const visible = /^(?:title|heading|headline|subtitle|question|answer|description|summary|caption|text)$/;

/**
 * Components (`<CtaBox headline="…" />`, `<Tabs>`) are not there for a reader; what they hold is, and so are those of
 * their attributes that are shown.
 */
function withoutComponents(text: string): string {
  if (!/<\/?[A-Z]/.test(text)) return text;
  const closed = new Set(Array.from(text.matchAll(/<\/([A-Z][\w.]*)\s*>/g), ([, name]) => name));
  const opening = /<(\/?)([A-Z][\w.]*)(?=[\s/>])/g;
  let out = '';
  let done = 0;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const end = tagEnd(text, opening.lastIndex);
    if (end === null) continue;
    const inside = text.slice(opening.lastIndex, end - 1);
    const isComponent =
      match[1] !== '' || inside.endsWith('/') || inside.includes('=') || closed.has(match[2]);
    if (!isComponent) continue;
    const before = text.slice(Math.max(done, match.index - 200), match.index);
    const after = text.slice(end, end + 200).split('\n')[0] ?? '';
    const alone = /(?:^|\n)[ \t]*$/.test(before);
    const shown = match[1] ? [] : attributes(inside);
    const holds = !inside.endsWith('/') && match[1] === '';
    out += text.slice(done, match.index);
    if (alone || !after.trim())
      out += `\n\n${shown.map((value, n) => (holds && n === 0 ? `**${value}**` : ended(value))).join('\n\n')}\n\n`;
    else out += shown.length && !holds ? ` ${shown.join(' ')} ` : '';
    done = end;
    opening.lastIndex = end;
  }
  return out + text.slice(done);
}

/** What a component shows is a statement, no title of what comes after it. */
const ended = (text: string) => (/[.!?:]$/.test(text.trim()) ? text : `${text}.`);

/** Where a tag ends that may hold code in braces; null when it does not end soon. */
function tagEnd(text: string, from: number): number | null {
  let depth = 0;
  let quote = '';
  for (let i = from; i < text.length && i < from + 2_000; i++) {
    const c = text.charAt(i);
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || (c === "'" && depth > 0) || (c === "'" && text.charAt(i - 1) === '=')) quote = c;
    else if (c === '{') depth++;
    else if (c === '}') depth--;
    else if (c === '>' && depth <= 0) return i + 1;
    else if (c === '<' && depth <= 0) return null;
  }
  return null;
}

const attributes = (inside: string) =>
  Array.from(
    inside.matchAll(/(?:^|\s)([a-zA-Z]{1,30})=(?:\{\s*)?(["'])([^"'\n]{1,500}(?:'[^"\n]{0,300})?)\2/g),
  )
    .filter(([, name = '']) => visible.test(name))
    .map(([, , , value = '']) => value)
    .filter((value) => /\s/.test(value.trim()));

/** Nesting and length that no person types are flattened: a parser spends its time, and drops what is too deep. */
function bearable(line: string): string {
  let text = line.length > 60 ? line.replace(/^[\s>]{40,}/, (run) => run.slice(0, 8)) : line;
  text = text.replace(/^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s*){12,}/, ' ');
  return text.replace(/[ \t]{200,}/g, ' ');
}

/** `<your name>` is text, not a tag. */
const asText = (line: string) =>
  line.includes('<')
    ? line.replace(/<(\/?)([A-Za-z][\w-]*)(?=[\s/>])/g, (tag, _slash: string, name: string) =>
        tagNames.has(name.toLowerCase()) || name.includes('-') ? tag : tag.replace('<', '&lt;'),
      )
    : line;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

interface Cell {
  text: string;
  at: number;
}

const bullet = /^\s*(?:[-*+•–‣▪◦·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/;

/** The cells of a line that was typed in columns: with tabs, wide gaps or leader dots between them. */
function cellsOf(line: string): Cell[] | null {
  if (line.length > 400 || bullet.test(line) || /^\s*(?:[|<#>]|$)/.test(line)) return null;
  const cells: Cell[] = [];
  const gap = /\t+\s*|(?<!\s)\s*(?:\.{3,}|…{2,}|(?: \.){3,}|_{4,})\s*|(?<![.!?:;,\s])\s{2,}|\s{3,}/g;
  const body = line.trimEnd();
  const first = body.search(/\S/);
  let start = first;
  for (const match of body.slice(first).matchAll(gap)) {
    const at = match.index + first;
    if (at <= start) continue;
    cells.push({ text: body.slice(start, at).trim(), at: start });
    start = at + match[0].length;
  }
  if (start < body.length) cells.push({ text: body.slice(start).trim(), at: start });
  return cells.filter(({ text }) => text).length > 1 ? cells : null;
}

const hasLeader = (line: string) => /\S\s*(?:\.{4,}|…{2,}|(?: \.){3,})\s*\S/.test(line);

/** Lines typed in columns, as a table. */
function columns(lines: readonly string[], at: number): Replaced | null {
  const separated = separatedValues(lines, at);
  if (separated) return separated;
  const rows: { cells: Cell[]; indent: number }[] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    const cells = cellsOf(line);
    if (!cells) break;
    rows.push({ cells, indent: line.search(/\S/) });
  }
  const first = rows[0];
  if (!first || (rows.length < 2 && !hasLeader(lines[at] ?? ''))) return null;
  const body = rows.slice(1);
  const left = Math.min(...rows.map(({ indent }) => indent));
  const deep =
    body.length > 0 &&
    first.indent >= Math.min(...body.map(({ cells }) => cells[1]?.at ?? 0)) - 6 &&
    first.indent > left + 4;
  const named =
    !deep &&
    body.length > 0 &&
    headsColumns(
      first.cells.map((c) => c.text),
      body.map(({ cells }) => cells.map((c) => c.text)),
    );
  if (!deep && !named) {
    // Without column names only what is plainly a pair is told as one.
    return table(
      null,
      rows.map(({ cells, indent }) => ({ cells: cells.map((c) => c.text), indent: indent - left })),
      next,
    );
  }
  const heads: Cell[] = deep ? [{ text: '', at: left }, ...first.cells] : first.cells;
  return table(
    heads.map(({ text }) => text),
    body.map(({ cells, indent }) => ({ cells: placed(cells, heads), indent: indent - left })),
    next,
  );
}

/** A row's cells beneath the heads they stand under. */
function placed(cells: readonly Cell[], heads: readonly Cell[]): string[] {
  if (cells.length === heads.length) return cells.map(({ text }) => text);
  const row = heads.map(() => '');
  for (const [n, { text, at }] of cells.entries()) {
    let best = 0;
    for (const [h, head] of heads.entries())
      if (Math.abs(head.at - at) < Math.abs((heads[best]?.at ?? 0) - at)) best = h;
    const column = n === 0 ? 0 : Math.max(best, Math.min(1, heads.length - 1));
    row[column] = row[column] ? `${row[column]} ${text}` : text;
  }
  return row;
}

/** Whether a first row names the columns: it has no figures where the others have them. */
function headsColumns(first: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (first.some((cell) => /\d/.test(cell) || cell.length > 40 || !/\p{L}/u.test(cell))) return false;
  const figures = rows.filter((row) => row.slice(1).some((cell) => /\d/.test(cell))).length;
  return figures * 2 > rows.length;
}

/** Lines with the same number of commas, semicolons or bars. */
function separatedValues(lines: readonly string[], at: number): Replaced | null {
  for (const mark of ['|', ';', ',']) {
    const width = valuesOf(lines[at] ?? '', mark).length;
    if (width < (mark === '|' ? 2 : 3)) continue;
    const rows: string[][] = [];
    let next = at;
    for (; next < lines.length; next++) {
      const line = lines[next] ?? '';
      const values = valuesOf(line, mark);
      if (
        values.length !== width ||
        line.length > 400 ||
        bullet.test(line) ||
        (mark !== '|' && /[.!?]\s*$/.test(line))
      )
        break;
      if (mark === ',' && /,\s/.test(line.replace(/"[^"]*"/g, ''))) break;
      if (values.some((value) => value.length > (mark === '|' ? 200 : 80))) break;
      rows.push(values);
    }
    if (rows.length < (mark === '|' ? 2 : 3)) continue;
    const [first = [], ...rest] = rows;
    const named = first.every((cell) => !/\d/.test(cell));
    return table(
      named ? first : null,
      (named ? rest : rows).map((cells) => ({ cells, indent: 0 })),
      next,
    );
  }
  return null;
}

const valuesOf = (line: string, mark: string): string[] =>
  line.includes(mark)
    ? (
        line
          .trim()
          .replace(mark === '|' ? /^\||\|$/g : /$^/, '')
          .match(
            mark === '|'
              ? /[^|]+|(?<=\|)(?=\|)/g
              : new RegExp(`"(?:[^"]|"")*"|[^${mark}]+|(?<=${mark})(?=${mark}|$)`, 'g'),
          ) ?? []
      ).map((value) => value.trim().replace(/^"(.*)"$/, '$1'))
    : [];

function table(
  heads: readonly string[] | null,
  rows: readonly { cells: readonly string[]; indent: number }[],
  next: number,
): Replaced {
  const cells = (tag: string, values: readonly string[]) =>
    values.map((value) => `<${tag}>${escaped(value)}</${tag}>`).join('');
  return {
    markdown: [
      '<table>',
      ...(heads ? [`<tr>${cells('th', heads)}</tr>`] : []),
      ...rows.map((row) => `<tr ${INDENT}="${row.indent}">${cells('td', row.cells)}</tr>`),
      '</table>',
    ],
    next,
  };
}
