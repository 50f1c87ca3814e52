import { isNode, type Node, nameOf, nodesOf, type SourceFile, syntaxTreeOf } from './syntax-tree.ts';

/** A function that a module exports. */
export interface ExportedFunction {
  name: string;
  parameters: { name: string; type: string }[];
}

/** @returns a file's exported synchronous functions that take text: an asynchronous function is not a rule */
export function textFunctionsIn(file: SourceFile): ExportedFunction[] {
  return nodesOf(syntaxTreeOf(file).body)
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration }) => nodesOf(declaration).flatMap(functionsDeclared))
    .filter(([, { async }]) => async !== true)
    .map(([name, { params }]) => ({
      name,
      parameters: nodesOf(params).map((parameter) => parameterOf(parameter, file.text)),
    }))
    .filter(({ parameters }) => parameters.some(({ type }) => takesText(type)));
}

/** Whether a parameter of this type takes a text or its words. */
const takesText = (type: string): boolean =>
  /^(?:readonly )?string(?:\[\])?$|^Iterable<string>$|^SaidInRoom$/.test(type);

function functionsDeclared(declaration: Node): [string, Node][] {
  if (declaration.type === 'FunctionDeclaration') return [[nameOf(declaration.id) ?? '', declaration]];
  return nodesOf(declaration.declarations)
    .flatMap(({ id, init }) =>
      isNode(init) && init.type === 'ArrowFunctionExpression' ? [[nameOf(id) ?? '', init] as const] : [],
    )
    .map(([name, init]) => [name, init]);
}

function parameterOf(parameter: Node, text: string): ExportedFunction['parameters'][number] {
  const own = isNode(parameter.left) ? parameter.left : parameter;
  const annotation = isNode(own.typeAnnotation) ? own.typeAnnotation.typeAnnotation : null;
  const type = isNode(annotation) ? text.slice(Number(annotation.start), Number(annotation.end)) : '';
  const isOptional = own !== parameter || own.optional === true;
  return { name: nameOf(own) ?? '', type: type.replace(/\s+/g, ' ') + (isOptional ? '?' : '') };
}
