import { isNode, type Node, nameOf, nodesOf, type SourceFile, syntaxTreeOf, visit } from './syntax-tree.ts';

/** Names that are the same in every language: brands, and terms of HTTP. */
const names =
  /\b(?:Sigma|Android|Chrome(?:OS)?|Edge|Firefox|Linux|Mac|Opera|Safari|Samsung Internet|Windows|Authorization|Bearer)\b/g;
/** Attributes that a browser shows or reads out, and props of our own primitives that become such. */
const shownAttributes =
  /^(?:aria-(?:label|description|roledescription|valuetext)|title|placeholder|alt|label)$/;
/** Functions whose string arguments are for developers or for comparison. */
const toldNobody = /^(?:logProblem|\w*Error|super|includes|startsWith|endsWith)$/;
/** Placeholder for a template's expressions. */
const FILLED_IN = '\0';

/**
 * Finds texts for people outside `web/src/texts/`: text between tags, text in visible attributes, and every
 * other string that reads like a text. A constant or function of the file whose name is shown counts as shown,
 * so that single lower-case words are found, too.
 * @returns "path:line: text" of each, in order
 */
export function looseTexts(file: SourceFile): string[] {
  const found = new Set<string>();
  const tree = syntaxTreeOf(file);
  const local = valuesByName(tree);
  const shownByName = new Set<string>();
  const look = (node: Node, shown: boolean): void => {
    const text = textOf(node);
    if (text !== null && (shown || readsLikeText(text)) && /\p{L}/u.test(text.replace(names, ''))) {
      const line = typeof node.start === 'number' ? file.text.slice(0, node.start).split('\n').length : 0;
      found.add(`${file.path}:${line}: ${text.trim().replaceAll(FILLED_IN, '…')}`);
    }
    for (const part of partsOf(node, shown)) for (const each of nodesOf(part.nodes)) look(each, part.shown);
    const name = shown ? usedName(node) : null;
    if (name === null || shownByName.has(name)) return;
    shownByName.add(name);
    for (const value of local.get(name) ?? []) look(value, true);
  };
  look(tree, false);
  return [...found];
}

/** What the names of a file stand for: the value of a constant, the values of an object, what a function returns. */
function valuesByName(tree: Node): Map<string, Node[]> {
  const values = new Map<string, Node[]>();
  visit(tree, (node) => {
    const name = nameOf(node.id);
    if (name === null) return;
    const is =
      node.type === 'VariableDeclarator' ? node.init : node.type === 'FunctionDeclaration' ? node : null;
    values.set(name, [...(values.get(name) ?? []), ...nodesOf(is).flatMap(valuesOf)]);
  });
  return values;
}

function valuesOf(node: Node): Node[] {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return nodesOf(node.expression).flatMap(valuesOf);
    case 'ObjectExpression':
      // What stands deeper may be shown or not, by a name of its own.
      return nodesOf(node.properties)
        .flatMap(({ value }) => nodesOf(value))
        .filter(({ type }) => type !== 'ObjectExpression');
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
      return nodesOf(node.body).flatMap((body) =>
        body.type === 'BlockStatement' ? returnedIn(body) : [body],
      );
    default:
      return [node];
  }
}

function returnedIn(body: Node): Node[] {
  const returned: Node[] = [];
  visit(body, (node) => {
    if (node.type === 'ReturnStatement') returned.push(...nodesOf(node.argument));
  });
  return returned;
}

/** `label`, `labels[kind]`, `labels.kind` and `labelOf(kind)` show what the name stands for. */
function usedName(node: Node): string | null {
  if (node.type === 'MemberExpression') return nameOf(node.object);
  return nameOf(node.type === 'CallExpression' ? node.callee : node);
}

function textOf(node: Node): string | null {
  switch (node.type) {
    case 'JSXText':
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null;
    case 'TemplateLiteral':
      return nodesOf(node.quasis).map(cooked).join(FILLED_IN);
    default:
      return null;
  }
}

/** Accepts "Not sent", "A room", "Remove" and "… of …", but neither "NotAllowedError" nor "flex gap-2". */
export const readsLikeText = (text: string): boolean =>
  (/^\s*\p{Lu}[\p{Ll}’']*(?:[\s.,:;!?…]|$)/u.test(text) && /\p{Ll}/u.test(text)) ||
  /\0,? \p{Ll}+(?: |$)/u.test(text);

/** A node's children, and whether their text is shown; skips what is not text. */
function partsOf(node: Node, shown: boolean): { nodes: unknown; shown: boolean }[] {
  const all = Object.values(node).flatMap(nodesOf);
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return [];
    case 'BinaryExpression':
      // Compared strings are values; concatenated strings are text.
      return node.operator === '+' ? [{ nodes: all, shown }] : [];
    case 'SwitchCase':
      return [{ nodes: node.consequent, shown: false }];
    case 'Property':
      return [{ nodes: node.value, shown: false }];
    case 'CallExpression':
    case 'NewExpression':
      return toldNobody.test(calleeOf(node)) ? [] : [{ nodes: all, shown: false }];
    case 'JSXAttribute':
      return [{ nodes: node.value, shown: shownAttributes.test(attributeName(node)) }];
    case 'JSXElement':
    case 'JSXFragment':
      return [
        { nodes: node.openingElement, shown: false },
        { nodes: node.children, shown: true },
      ];
    case 'ConditionalExpression':
      return [
        { nodes: node.test, shown: false },
        { nodes: [node.consequent, node.alternate], shown },
      ];
    case 'JSXExpressionContainer':
    case 'LogicalExpression':
      return [{ nodes: all, shown }];
    default:
      // A type is not text; an expression cast to one may be.
      return node.type.startsWith('TS')
        ? [{ nodes: node.expression, shown }]
        : [{ nodes: all, shown: false }];
  }
}

function calleeOf({ callee }: Node): string {
  if (!isNode(callee)) return '';
  if (callee.type === 'Super') return 'super';
  return nameOf(callee.type === 'MemberExpression' ? callee.property : callee) ?? '';
}

const attributeName = ({ name }: Node): string =>
  isNode(name) && typeof name.name === 'string' ? name.name : '';

function cooked({ value }: Node): string {
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
}
