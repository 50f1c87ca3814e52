import { z } from 'zod';

const schemaSchema = z.record(z.string(), z.unknown());
const answerSchema = z.looseObject({
  description: z.string(),
  content: z.record(z.string(), z.looseObject({ schema: schemaSchema.optional() })).optional(),
});
const operationSchema = z.looseObject({
  summary: z.string().optional(),
  tags: z.array(z.string()).optional(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
  responses: z.record(z.string(), answerSchema),
});

/** The part of an OpenAPI document that tests read. */
export const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), schemaSchema).optional() }),
});
type OpenApiDocument = z.infer<typeof documentSchema>;

export interface Documented {
  document: z.infer<typeof operationSchema>;
  /** Targets of the document's `$ref`s. */
  shared: Record<string, z.infer<typeof schemaSchema>>;
}

/** Every operation of a document, by "METHOD /path". */
export function operationsOf(document: OpenApiDocument): Map<string, Documented> {
  const shared = document.components.schemas ?? {};
  return new Map(
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        { document: operation, shared },
      ]),
    ),
  );
}

interface Answer {
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
}

/** @returns how an answer deviates from the document; null if it does not */
export function checkAnswer({ document, shared }: Documented, answer: Answer): string | null {
  const status = String(answer.statusCode);
  const described = document.responses[status] ?? document.responses[`${status[0]}XX`];
  if (!described) return `The status ${status} is not documented.`;
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!described.content) return answer.body === '' ? null : 'A body is not documented.';
  const content =
    described.content[type] ?? described.content[type.replace(/\/.*/, '/*')] ?? described.content['*/*'];
  if (!content) return `The media type ${type} is not documented for ${status}.`;
  if (type !== 'application/json' || !content.schema) return null;
  const problem = z.fromJSONSchema(inPlace(content.schema, shared)).safeParse(JSON.parse(answer.body));
  return problem.success ? null : z.prettifyError(problem.error);
}

/** A schema with its references resolved in place. */
function inPlace(schema: unknown, shared: Documented['shared']): Parameters<typeof z.fromJSONSchema>[0] {
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== 'object' || part === null) return part;
    if ('$ref' in part) {
      const name = String(part.$ref).replace('#/components/schemas/', '');
      if (!shared[name]) throw new Error(`The document has no schema ${name}.`);
      return resolve(shared[name]);
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolve(value)]));
  };
  return schemaSchema.parse(resolve(schema));
}
