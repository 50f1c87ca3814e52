import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5';
import { Unreadable } from '#server/engines/unreadable';
import { keepWhatIsShown } from '#server/lib/shown-html';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** Elements that are large and hold no text. The reader of passages drops the rest. */
const WEIGHT = new Set(['script', 'style', 'svg', 'template', 'noscript', 'iframe', 'link', 'meta']);
/** Attributes that the reader of passages uses. */
const ATTRIBUTES = /^(?:href|alt|colspan|rowspan|start|role|aria-controls|aria-expanded)$/;

/**
 * A page without its invisible and non-text elements, and its title.
 * @throws Unreadable when the page is empty without its scripts
 */
export function readHtml(source: string): { title: string | null; text: string } {
  const page = parse(source);
  keepWhatIsShown(page);
  let title: string | null = null;
  let said = 0;
  const waiting: Parent[] = [page];
  while (waiting.length) {
    const parent = waiting.pop();
    if (!parent) break;
    parent.childNodes = parent.childNodes.filter(
      (node) => node.nodeName !== '#comment' && !WEIGHT.has(node.nodeName),
    );
    for (const node of parent.childNodes) {
      if (node.nodeName === 'title' && 'childNodes' in node) title ??= textOf(node.childNodes);
      else if ('childNodes' in node) {
        if ('attrs' in node) node.attrs = node.attrs.filter(({ name }) => ATTRIBUTES.test(name));
        waiting.push(node);
      } else if ('value' in node) said += node.value.trim().length;
    }
  }
  if (said === 0)
    throw new Unreadable(
      'This page says nothing by itself: its text is put there by a script, or it is one picture.',
    );
  return { title: title || null, text: serialize(page) };
}

const textOf = (nodes: readonly Node[]) =>
  nodes
    .map((node) => ('value' in node ? node.value : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
