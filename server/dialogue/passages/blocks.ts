import MarkdownIt from 'markdown-it';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { keepWhatIsShown } from '#server/lib/shown-html';
import {
  BOLD,
  BREAK,
  dropped,
  END_BOLD,
  isHtml,
  PAGE,
  plainSpaces,
  toMarkdown,
  withoutComments,
  withoutOpenEnds,
} from './source.ts';
import { INDENT } from './typed-tables.ts';

/** A text's blocks by its markup, before their lines are interpreted. Bold is still marked in the texts. */
export type Block =
  | { type: 'heading'; level: number; text: string }
  /** A new page, or a line across it: ends the scope of headings without markup. */
  | { type: 'page'; title: string }
  | { type: 'rule' }
  /** Its content has its own headings. */
  | { type: 'scope'; title: string; blocks: Block[] }
  | { type: 'paragraph'; text: string }
  | { type: 'list'; start: number | null; items: Item[] }
  | { type: 'table'; caption: string; columns: string[]; rows: Row[] };

export interface Item {
  text: string;
  /** Its continuation: sub-items, paragraphs. */
  below: Block[];
}

export interface Row {
  cells: string[];
  indent: number;
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const markdown = new MarkdownIt({ html: true }).disable('code');

/** Reads Markdown with HTML in it, or HTML, into blocks. Never fails; anything but markup is text. */
export function readBlocks(source: string): Block[] {
  const text = withoutOpenEnds(withoutComments(plainSpaces(source)));
  const html = isHtml(text);
  const tree = html ? parse(text) : parseFragment(markdown.render(toMarkdown(text)));
  keepWhatIsShown(tree);
  return new Walk(!html).blocksIn(tree.childNodes, 0);
}

const blockTags = new Set(
  `html body main article section div p ul ol li menu dl dt dd table h1 h2 h3 h4 h5 h6 blockquote pre hr details summary figure
  figcaption address header footer form fieldset legend center aside hgroup search`.split(/\s+/),
);

/** In characters: a longer cell is part of a page layout. */
const MOST_CELL = 400;

/** Deeper than any person nests: deeper content is read as text. */
const MAX_DEPTH = 60;

class Walk {
  /** In Markdown a line break may have a meaning, in HTML it is a space. */
  private readonly linesCount: boolean;

  constructor(linesCount: boolean) {
    this.linesCount = linesCount;
  }

  blocksIn(nodes: readonly Node[], depth: number): Block[] {
    const first = nodes.findIndex(opensPanel);
    if (first === -1) return this.plainBlocksIn(nodes, depth);
    const blocks = this.plainBlocksIn(nodes.slice(0, first), depth);
    let title = '';
    let panel: Node[] = [];
    const close = () => {
      blocks.push({ type: 'scope', title, blocks: this.plainBlocksIn(panel, depth + 1) });
      panel = [];
    };
    for (const [n, node] of nodes.slice(first).entries()) {
      if (opensPanel(node)) {
        if (n > 0) close();
        title = this.textOf(node.childNodes);
      } else panel.push(node);
    }
    close();
    return blocks;
  }

  private plainBlocksIn(nodes: readonly Node[], depth: number): Block[] {
    const blocks: Block[] = [];
    let inline: Node[] = [];
    const flush = () => {
      const text = this.textOf(inline);
      if (text) blocks.push({ type: 'paragraph', text });
      inline = [];
    };
    for (const node of nodes) {
      if (isElement(node) && isDropped(node)) continue;
      if (isElement(node) && isBlock(node)) {
        flush();
        blocks.push(...this.blocksOf(node, depth + 1));
      } else inline.push(node);
    }
    flush();
    return blocks;
  }

  private blocksOf(element: Element, depth: number): Block[] {
    if (depth > MAX_DEPTH) {
      const text = this.textOf(element.childNodes);
      return text ? [{ type: 'paragraph', text }] : [];
    }
    const tag = element.tagName;
    if (attribute(element, PAGE) !== null) return [{ type: 'page', title: this.textOf(element.childNodes) }];
    if (/^h[1-6]$/.test(tag)) {
      const text = this.textOf(element.childNodes);
      return text ? [{ type: 'heading', level: Number(tag.charAt(1)), text }] : [];
    }
    if (tag === 'hr') return [{ type: 'rule' }];
    if (tag === 'ul' || tag === 'ol' || tag === 'menu') return this.list(element, depth);
    if (tag === 'dl') return this.definitions(element, depth);
    if (tag === 'table') return this.table(element, depth);
    if (tag === 'details') return this.details(element, depth);
    if (tag === 'pre') {
      const text = rawText(element).replace(/(?<!\n)\n+$/, '');
      return text.trim()
        ? text.split(/\n\s*\n/).map((part) => ({ type: 'paragraph', text: part.trim() }))
        : [];
    }
    return this.blocksIn(element.childNodes, depth);
  }

  private list(element: Element, depth: number): Block[] {
    if (isContents(element)) return [];
    const items: Item[] = [];
    for (const child of element.childNodes) {
      if (!isElement(child)) {
        const text = this.textOf([child]);
        if (text) items.push({ text, below: [] });
      } else if (!isDropped(child)) items.push(...this.item(child, depth));
    }
    // A list that lays out parts of a page: each with its heading or panel.
    if (
      items.some(
        ({ text, below }) => !text && below.some(({ type }) => type === 'scope' || type === 'heading'),
      )
    )
      return items.map(({ text, below }) => ({
        type: 'scope',
        title: '',
        blocks: text ? [{ type: 'paragraph', text }, ...below] : below,
      }));
    const start = element.tagName === 'ol' ? Number(attribute(element, 'start') ?? 1) : null;
    return items.length ? [{ type: 'list', start, items }] : [];
  }

  private item(element: Element, depth: number): Item[] {
    const blocks = this.blocksIn(element.tagName === 'li' ? element.childNodes : [element], depth + 1);
    const [first, ...below] = blocks;
    if (!first) return [];
    return first.type === 'paragraph' ? [{ text: first.text, below }] : [{ text: '', below: blocks }];
  }

  private definitions(element: Element, depth: number): Block[] {
    const items: Item[] = [];
    let term = '';
    const visit = (nodes: readonly Node[]) => {
      for (const child of nodes) {
        if (!isElement(child) || isDropped(child)) continue;
        if (child.tagName === 'dt') term = [term, this.textOf(child.childNodes)].filter(Boolean).join(', ');
        else if (child.tagName === 'dd') {
          const [first, ...below] = this.blocksIn(child.childNodes, depth + 1);
          const text = first?.type === 'paragraph' ? first.text : '';
          const label = term.replace(/(?<!\s)\s*:$/, '');
          items.push({
            text: label && text ? `${BOLD}${label}:${END_BOLD} ${text}` : label || text,
            below: first && first.type !== 'paragraph' ? [first, ...below] : below,
          });
          term = '';
        } else visit(child.childNodes);
      }
    };
    visit(element.childNodes);
    if (term) items.push({ text: term, below: [] });
    return items.length ? [{ type: 'list', start: null, items }] : [];
  }

  private details(element: Element, depth: number): Block[] {
    const summary = element.childNodes.find((child) => isElement(child) && child.tagName === 'summary');
    const rest = element.childNodes.filter((child) => child !== summary);
    const title = summary && isElement(summary) ? this.textOf(summary.childNodes) : '';
    const blocks = this.blocksIn(rest, depth);
    return title || blocks.length ? [{ type: 'scope', title, blocks }] : [];
  }

  private table(element: Element, depth: number): Block[] {
    const rows: { cells: string[]; heads: boolean; indent: number }[] = [];
    const large: Block[] = [];
    let caption = '';
    // Cells that span down from rows above, by column.
    let reaching: { text: string; rows: number }[] = [];
    const visit = (nodes: readonly Node[], inHead: boolean) => {
      for (const child of nodes) {
        if (!isElement(child) || isDropped(child)) continue;
        if (child.tagName === 'caption') caption = this.textOf(child.childNodes);
        else if (child.tagName !== 'tr') visit(child.childNodes, child.tagName === 'thead');
        else {
          const own = child.childNodes.filter(isElement).filter((cell) => /^t[dh]$/.test(cell.tagName));
          const spanned = own.flatMap((cell) => {
            const text = this.textOf(cell.childNodes).replace(/\s+/g, ' ');
            // A table that only lays out a page: its cells are read like a page.
            if (text.length > MOST_CELL) large.push(...this.blocksIn(cell.childNodes, depth + 1));
            const one = { text: text.length > MOST_CELL ? '' : text, rows: spanOf(cell, 'rowspan') };
            return Array.from({ length: spanOf(cell, 'colspan') }, () => one);
          });
          const cells: { text: string; rows: number }[] = [];
          while (spanned.length || (reaching[cells.length]?.rows ?? 0) > 1) {
            const above = reaching[cells.length];
            const next = above && above.rows > 1 ? { ...above, rows: above.rows - 1 } : spanned.shift();
            cells.push(next ?? { text: '', rows: 1 });
          }
          reaching = cells;
          const isWide = own.length === 1 && cells.length > 1;
          rows.push({
            // A cell across the table is said once.
            cells: isWide ? [cells[0]?.text ?? ''] : cells.map(({ text }) => text),
            heads: inHead || own.every((cell) => cell.tagName === 'th'),
            indent: Number(attribute(child, INDENT) ?? 0),
          });
        }
      }
    };
    visit(element.childNodes, false);
    const first = rows.findIndex(({ heads }) => !heads);
    const heads = rows.slice(0, first === -1 ? rows.length : first);
    const body = first === -1 ? [] : rows.slice(first);
    // Heads without rows are rows; two lines of heads are read one below the other.
    if (body.length === 0 && heads.length) body.push(...heads.splice(heads.length > 1 ? 1 : 0));
    const width = Math.max(0, ...heads.map(({ cells }) => cells.length));
    const columns = Array.from({ length: width }, (_, n) =>
      [...new Set(heads.map(({ cells }) => cells[n] ?? ''))].filter(Boolean).join(', '),
    );
    const filled = body.filter(({ cells }) => cells.some(Boolean));
    return [...(filled.length ? [{ type: 'table' as const, caption, columns, rows: filled }] : []), ...large];
  }

  /** The text of inline content: bold and deliberate breaks are marked, addresses kept if no other text has them. */
  private textOf(nodes: readonly Node[]): string {
    let out = '';
    // Without recursion: markup may nest as deep as a text is long.
    const stack: (Node | string)[] = [...nodes].reverse();
    while (stack.length) {
      const node = stack.pop();
      if (node === undefined) break;
      if (typeof node === 'string') out += node;
      else if ('value' in node) out += this.linesCount ? node.value : node.value.replace(/\s+/g, ' ');
      else if (isElement(node) && !isDropped(node)) {
        const [before, after] = this.around(node, out);
        stack.push(after, ...[...node.childNodes].reverse(), before);
      }
    }
    return tidy(this.withoutLeftovers(out));
  }

  private around(element: Element, before: string): [string, string] {
    switch (element.tagName) {
      case 'br':
        return [BREAK, ''];
      case 'b':
      case 'strong':
        return [BOLD, END_BOLD];
      case 'a':
        return ['', address(element, before)];
      case 'img':
        return [imageText(element), ''];
      case 'sup':
        return /^\d+$/.test(rawText(element)) ? [' (', ')'] : ['', ''];
      default:
        return blockTags.has(element.tagName) || /^t[dhr]$/.test(element.tagName) ? [BREAK, BREAK] : ['', ''];
    }
  }

  /** Markdown inside HTML ("<li>**12 May** …</li>") is markup, too. */
  private withoutLeftovers(text: string): string {
    if (!this.linesCount || text.length > 20_000) return text;
    return text
      .replace(/(\*\*|__)(?=\S)((?:(?!\1)[^\n]){1,600})(?<=\S)\1/g, `${BOLD}$2${END_BOLD}`)
      .replace(/!?\[([^[\]\n]{1,300})\]\((?:[^()\s]{0,500})\)/g, '$1')
      .replace(/~~(?=\S)[^\n~]{1,600}~~/g, '');
  }
}

/** "here" and "Contact us" tell no address; the link does. */
function address(element: Element, before: string): string {
  const to = attribute(element, 'href') ?? '';
  const text = rawText(element).trim();
  const [, scheme = '', rest = ''] = /^(mailto|tel|sms|https?):\/?\/?(.+)$/i.exec(to) ?? [];
  if (!scheme || !text) return '';
  const plain = decode(rest)
    .replace(/^www\./, '')
    .replace(/\/$/, '');
  if (/^http/i.test(scheme)) {
    // A name is a name: "Vltava River", "the ancient Vyšehrad".
    const begins = /^$|[.!?:]\s*$|\n[^\S\n]*$/.test(before.replaceAll(BOLD, ''));
    const isName = begins ? /\s\p{Lu}/u.test(text) : /\p{Lu}/u.test(text);
    if (isName || text.split(/\s+/).length > 2 || /[./@]\S/.test(text)) return '';
    return ` (${to})`;
  }
  const number = plain.split('?')[0] ?? '';
  const digits = (value: string) => value.replace(/\D/g, '');
  const isTold = /mailto/i.test(scheme) ? text.includes('@') : digits(text).length > 2;
  return isTold || !number ? '' : ` (${number})`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A picture has meaning where it replaces words: as a cell or as a link. */
function imageText(element: Element): string {
  const parent = element.parentNode;
  if (!parent || !('tagName' in parent) || !/^(?:td|th|a)$/.test(parent.tagName)) return '';
  const hasText = parent.childNodes.some((child) => child !== element && rawText(child).trim());
  return hasText ? '' : (attribute(element, 'alt') ?? '');
}

function rawText(node: Node): string {
  let out = '';
  const stack: Node[] = [node];
  while (stack.length) {
    const next = stack.pop();
    if (!next) break;
    if ('value' in next) out += next.value;
    else if (isElement(next)) stack.push(...[...next.childNodes].reverse());
  }
  return out;
}

/** Collapses spaces and breaks; moves bold marks to the words. */
const tidy = (text: string) =>
  text
    .replace(new RegExp(`[\\s${BREAK}]+`, 'g'), (run) =>
      run.includes(BREAK) ? BREAK : run.includes('\n') ? '\n' : ' ',
    )
    .replace(new RegExp(`${BOLD}(\\s?)${END_BOLD}`, 'g'), '$1')
    .replace(new RegExp(`${BOLD}([\\s${BREAK}])`, 'g'), `$1${BOLD}`)
    .replace(new RegExp(`([\\s${BREAK}])${END_BOLD}`, 'g'), `${END_BOLD}$1`)
    .replace(new RegExp(`^[\\s${BREAK}]|[\\s${BREAK}]$`, 'g'), '');

const isElement = (node: Node): node is Element => 'tagName' in node;
/** An element is a block by its name, or by its content: `<a><div>…`. */
const isBlock = (element: Element) =>
  blockTags.has(element.tagName) ||
  element.childNodes.some((child) => isElement(child) && blockTags.has(child.tagName));

const attribute = (element: Element, name: string) =>
  element.attrs.find((attr) => attr.name === name)?.value ?? null;

/** A list that only links to other parts of the page. */
function isContents(list: Element): boolean {
  const waiting: Node[] = [...list.childNodes];
  let ways = 0;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!isElement(node)) {
      if ('value' in node && node.value.trim()) return false;
    } else if ((attribute(node, 'href') ?? '').startsWith('#')) ways++;
    else waiting.push(...node.childNodes);
  }
  return ways > 1;
}

const spanOf = (cell: Element, over: 'colspan' | 'rowspan') =>
  Math.max(1, Math.min(Number(attribute(cell, over) ?? 1) || 1, 20));

/** The title of a part that opens at a click: it heads the following content. */
const opensPanel = (element: Node): element is Element =>
  isElement(element) &&
  (attribute(element, 'aria-controls') !== null || attribute(element, 'aria-expanded') !== null) &&
  (element.tagName === 'button' || element.tagName === 'a' || attribute(element, 'role') === 'button');

const isDropped = (element: Element) =>
  dropped.has(element.tagName) || attribute(element, 'role') === 'navigation';
