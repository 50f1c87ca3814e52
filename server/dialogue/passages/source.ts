import { htmlTagNames } from 'html-tag-names';
import { columns, escaped, type Replaced } from './typed-tables.ts';

/** Private marks that pass through the parsers: bold, and deliberate breaks. */
export const BOLD = '\uE000';
export const END_BOLD = '\uE001';
export const BREAK = '\u2028';

/** Attribute of the element with a page's title: a pasted collection has many. */
export const PAGE = 'data-page';

const tagNames: ReadonlySet<string> = new Set(htmlTagNames);

/** Whether the whole text is an HTML page (or a piece of one), which is not parsed as Markdown. */
export function isHtml(text: string): boolean {
  if (/^\s*(?:<!doctype\s+html|<html[\s>])/i.test(text)) return true;
  if (/^ {0,3}#{1,6}\s/m.test(text)) return false;
  const lines = text.split('\n').filter((line) => line.trim());
  const tagged = lines.filter((line) => /^\s*<\/?[a-z][a-z0-9]*[\s>/]/.test(line)).length;
  return (
    lines.length > 1 && tagged > lines.length * 0.6 && /<\/(?:p|div|li|td|h[1-6]|section|body)>/i.test(text)
  );
}

/** Normalises spaces and line ends; changes no visible text. */
export const plainSpaces = (text: string) =>
  text
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/[^\P{Cc}\t\n]|[\u00ad\u200b\u2060\ufeff\ue000-\uf8ff]/gu, '')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');

/**
 * Turns pasted text into Markdown that a parser reads as intended: removes front matter, code of components and
 * comments, and makes tables of hand-typed columns.
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
    // A Markdown table is left to the parser, row by row.
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
    const item = markedItem(line);
    out.push(asText(item ?? line));
    i++;
    // Markdown would read a plain line below an item as its end.
    if (item !== null && /^\S/.test(lines[i] ?? '') && markedItem(lines[i] ?? '') === null) out.push('');
  }
  return out.join('\n');
}

/** Replaces an item mark unknown to Markdown by a known one; null for other lines. */
function markedItem(line: string): string | null {
  const [, mark = '', text = ''] = /^\s{0,3}([•◦▪‣●○■►▶➤➔✔✓☑✅✘✗✖❌])\uFE0F?\s*(\S.*)$/u.exec(line) ?? [];
  // "✘ Dogs" has the opposite meaning without its mark.
  return mark === '' ? null : `- ${/[✘✗✖❌]/.test(mark) ? `${mark} ` : ''}${text}`;
}

const tableRule = /^\s*(?:\|\s*)?:?--[\s|:-]*$/;

const humanKeys = /^(title|heading|subtitle|description|summary|question|answer):\s*(?!\s)(.*)$/i;

/** Elements hidden from readers, or no longer valid. */
export const dropped: ReadonlySet<string> = new Set(
  `head script style template noscript svg math iframe object canvas audio video nav button select option textarea datalist map
  del s strike dialog`.split(/\s+/),
);

/** Elements that swallow the following text if left open. */
const raw = ['title', 'xmp', 'noembed', 'noframes', 'plaintext'];

/** Removes hiding tags that are left open: the text that they would swallow stays. */
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

/** A page's front matter: its title becomes the heading of the page, its description prose. */
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

/** Program lines: imports and exports of MDX. */
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

/** Removes text between two marks; an opening mark without its closing one is text. */
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

/** Removes components (`<CtaBox headline="…" />`, `<Tabs>`) but keeps their content and visible attributes. */
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

/** A component's text is a statement, not a title of the following content. */
const ended = (text: string) => (/[.!?:]$/.test(text.trim()) ? text : `${text}.`);

/** The end of a tag that may hold code in braces; null if it is too far. */
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

/** Flattens nesting and length beyond hand-typed text: a parser would be slow, and drop deep content. */
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
