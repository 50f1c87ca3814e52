/**
 * Every route of a server as "METHOD /path/{param}", from the route tree that Fastify prints (`printRoutes({
 * commonPrefix: false })`): one route per line, indented by four characters below its parent.
 */
export function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, segment, methods] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (indent === undefined || segment === undefined) return [];
    const depth = indent.length / 4;
    const path = `${depth > 0 ? above[depth - 1] : ''}${segment}`;
    above[depth] = path;
    const documented = path.replace(/:(\w+)/g, '{$1}');
    return (methods?.split(', ') ?? []).map((method) => `${method} ${documented}`);
  });
}
