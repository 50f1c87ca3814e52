import type { DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** An inline style that hides its element. */
const HIDES = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const DISPLAYS = /(?:^|[;\s])(?:display\s*:\s*(?!none)|visibility\s*:\s*visible)/i;
/** Names of cookie banners, as used by sites and by consent services. */
const CONSENT =
  /(?:cookies?|gdpr|consent|privacy)[\s_-]*(?:banner|notice|consent|popup|pop-up|modal|dialog|overlay|law|manager|layer)|^(?:onetrust-|cybotcookiebot|usercentrics|didomi-|osano-cm|iubenda-cs|cky-|cmplz-|borlabs-cookie|truste-|qc-cmp2)/i;
/** Limits in elements and in characters: a banner is smaller than a page. */
const MOST_CONSENT = 4_000;

/**
 * Removes what a visitor of a page does not see: elements hidden by an attribute, by a style or by a rule of
 * the page, and the cookie banner. Content that a click opens, such as answers in an FAQ, stays and is no
 * longer marked as hidden.
 */
export function keepWhatIsShown(page: Parent): void {
  const elements = elementsIn(page);
  const rules = rulesOf(elements);
  const opened = new Set(elements.flatMap(opens));
  const before = neighbours([page, ...elements]);
  const isHidden = (element: Element) =>
    attribute(element, 'hidden') !== null ||
    attribute(element, 'aria-hidden') === 'true' ||
    HIDES.test(attribute(element, 'style') ?? '') ||
    names(element).some((name) => rules.hiding.has(name));
  const isPanel = (element: Element) =>
    opened.has(attribute(element, 'id') ?? '') ||
    names(element).some((name) => rules.showing.has(name)) ||
    isPressed(before.get(element));
  const hidden = elements.filter(isHidden);
  // Headings that open the content below do not declare it; several of them with hidden content do.
  const headed = new Set(hidden.filter((each) => /^(?:h[1-6]|dt)$/.test(before.get(each)?.tagName ?? '')));
  const gone = new Set<Node>(elements.filter(asksForConsent));
  for (const element of hidden) {
    if (isPanel(element) || (headed.size > 1 && headed.has(element))) show(element);
    else gone.add(element);
  }
  if (gone.size === 0) return;
  for (const parent of [page, ...elements])
    if (parent.childNodes.some((node) => gone.has(node)))
      parent.childNodes = parent.childNodes.filter((node) => !gone.has(node));
}

/** @param most stops after this many */
function elementsIn(page: Parent, most = Number.POSITIVE_INFINITY): Element[] {
  const found: Element[] = [];
  const waiting: Parent[] = [page];
  for (let parent = waiting.pop(); parent && found.length < most; parent = waiting.pop())
    for (const node of parent.childNodes)
      if (isElement(node)) {
        found.push(node);
        waiting.push(node);
      }
  return found;
}

/** Maps each element to its predecessor, if there is no text between them. */
function neighbours(parents: readonly Parent[]): ReadonlyMap<Element, Element> {
  const before = new Map<Element, Element>();
  for (const { childNodes } of parents) {
    let last: Element | null = null;
    for (const node of childNodes) {
      if (isElement(node)) {
        if (last) before.set(node, last);
        last = node;
      } else if ('value' in node && node.value.trim()) last = null;
    }
  }
  return before;
}

const isElement = (node: Node | Parent): node is Element => 'tagName' in node;

const attribute = (element: Element, name: string) =>
  element.attrs.find((attr) => attr.name === name)?.value ?? null;

/** An element's selectors as used in rules. */
function names(element: Element): string[] {
  const id = attribute(element, 'id');
  const classes = attribute(element, 'class')?.split(/\s+/).filter(Boolean) ?? [];
  return [...(id ? [`#${id}`] : []), ...classes.map((name) => `.${name}`)];
}

/** Ids of the elements that an element opens. */
function opens(element: Element): string[] {
  const link = attribute(element, 'href') ?? '';
  return [
    attribute(element, 'aria-controls') ?? '',
    ...[link, attribute(element, 'data-target') ?? '', attribute(element, 'data-bs-target') ?? '']
      .filter((to) => to.startsWith('#'))
      .map((to) => to.slice(1)),
  ]
    .flatMap((ids) => ids.split(/\s+/))
    .filter(Boolean);
}

/** Selectors hidden by the page's own rules for screens, and those that other rules show again. */
function rulesOf(elements: readonly Element[]): { hiding: Set<string>; showing: Set<string> } {
  const hiding = new Set<string>();
  const showing = new Set<string>();
  for (const element of elements) {
    if (element.tagName !== 'style') continue;
    const text = element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    for (const { selector, body } of topRules(text)) {
      for (const each of selector.split(',').map((part) => part.trim())) {
        if (HIDES.test(body) && /^[.#][\w-]+$/.test(each)) hiding.add(each);
        else if (DISPLAYS.test(body)) for (const [name] of each.matchAll(/[.#][\w-]+/g)) showing.add(name);
      }
    }
  }
  return { hiding, showing };
}

/** Top-level rules: those for print or small screens are nested in others. */
function topRules(text: string): { selector: string; body: string }[] {
  const rules: { selector: string; body: string }[] = [];
  let depth = 0;
  let selector = '';
  let piece = '';
  for (const part of withoutComments(text).split(/([{}])/)) {
    if (part === '{') {
      if (depth === 0) selector = piece.trim();
      depth++;
    } else if (part === '}') {
      depth = Math.max(0, depth - 1);
      if (depth === 0 && !selector.startsWith('@')) rules.push({ selector, body: piece });
    } else piece = part;
  }
  return rules;
}

const withoutComments = (text: string) =>
  text
    .split('/*')
    .map((part, n) => (n === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join(' ');

const isPressed = (element: Element | undefined) =>
  element !== undefined &&
  [element, ...element.childNodes.filter(isElement)].some(
    (each) =>
      /^(?:button|summary|label)$/.test(each.tagName) ||
      attribute(each, 'role') === 'button' ||
      attribute(each, 'aria-expanded') !== null,
  );

function show(element: Element) {
  element.attrs = element.attrs.filter(({ name }) => !/^(?:hidden|aria-hidden|style)$/.test(name));
}

/** Whether an element is named like a cookie banner, has a button, and is not the page itself. */
function asksForConsent(element: Element): boolean {
  const called = [...names(element).map((name) => name.slice(1)), attribute(element, 'aria-label') ?? ''];
  const isDialog = /^(?:alert)?dialog$/.test(attribute(element, 'role') ?? '');
  if (!called.some((name) => CONSENT.test(name) || (isDialog && /cookie|consent/i.test(name)))) return false;
  const inside = elementsIn(element, MOST_CONSENT);
  return (
    inside.length < MOST_CONSENT &&
    inside.some(
      ({ tagName, attrs }) => tagName === 'button' || attrs.some(({ value }) => value === 'button'),
    ) &&
    !inside.some(({ tagName }) => /^(?:main|article|h1)$/.test(tagName)) &&
    textLength([element, ...inside]) <= MOST_CONSENT
  );
}

const textLength = (elements: readonly Element[]) =>
  elements.reduce(
    (all, { childNodes }) =>
      all + childNodes.reduce((own, node) => own + ('value' in node ? node.value.length : 0), 0),
    0,
  );
