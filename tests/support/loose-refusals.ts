import { readsLikeText } from './loose-texts.ts';
import { isNode, type Node, nameOf, nodesOf, type SourceFile, syntaxTreeOf, visit } from './syntax-tree.ts';

/** Functions whose sentence refuses a request. */
const refusing =
  /^(?:AppError|invalidInput|invalidJson|forbidden|conflict|payloadTooLarge|malicious|rateLimited|unavailable|busy)$/;
/** Methods of schemas that take a sentence. */
const checks =
  /^(?:string|number|boolean|array|object|enum|literal|union|record|email|url|uuid|min|max|length|int|regex|refine|datetime|date|iso|pipe)$/;

/**
 * Finds sentences of refusals outside `shared/refusals/`: arguments of error factories and schema checks, and
 * the `message` of an issue.
 * @param file of the server, or of the code that both sides share
 * @returns "path:line: text" of each, in order
 */
export function looseRefusals(file: SourceFile): string[] {
  const found: string[] = [];
  const isOfSchemas = /from 'zod'/.test(file.text);
  const tell = (node: Node) => {
    const text = textOf(node);
    if (text === null || !readsLikeText(text)) return;
    const line = typeof node.start === 'number' ? file.text.slice(0, node.start).split('\n').length : 0;
    found.push(`${file.path}:${line}: ${text.trim()}`);
  };
  visit(syntaxTreeOf(file), (node) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return;
    const name = calleeOf(node);
    const given = nodesOf(node.arguments);
    if (refusing.test(name)) given.flatMap(choices).forEach(tell);
    if (isOfSchemas && checks.test(name)) given.filter(({ type }) => isText(type)).forEach(tell);
    if (name === 'addIssue') given.flatMap(messageOf).forEach(tell);
  });
  return found;
}

const isText = (type: string) => type === 'Literal' || type === 'TemplateLiteral';

/** Both sides of a choice, and what stands there otherwise. */
const choices = (node: Node): Node[] =>
  node.type === 'ConditionalExpression'
    ? nodesOf([node.consequent, node.alternate]).flatMap(choices)
    : node.type === 'LogicalExpression'
      ? nodesOf([node.left, node.right]).flatMap(choices)
      : [node];

const messageOf = (node: Node): Node[] =>
  nodesOf(node.properties)
    .filter(({ key }) => nameOf(key) === 'message')
    .flatMap(({ value }) => nodesOf(value).flatMap(choices));

function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral') return null;
  return nodesOf(node.quasis)
    .map(({ value }) =>
      typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '',
    )
    .join('…');
}

function calleeOf({ callee }: Node): string {
  if (!isNode(callee)) return '';
  return nameOf(callee.type === 'MemberExpression' ? callee.property : callee) ?? '';
}
