/** Most tools of one server; no agent has as many actions. */
export const MAX_TOOLS = 200;
/** Most inputs of a tool; an action has at most 8. */
const MAX_PROPERTIES = 30;
/** Most parts of a tool's answer. */
const MAX_PARTS = 100;
const MAX_LISTED = 100;
const MAX_TEXT = 2_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reduces a result of the Model Context Protocol to what this server uses, in the protocol's shape. The size
 * is bounded by the bytes received; the number of parts is bounded here, because the SDK checks each part.
 */
export function reducedResult(method: unknown, result: unknown): object {
  const fields = fieldsOf(result);
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: textOf(fields.protocolVersion) ?? '',
        capabilities: 'tools' in fieldsOf(fields.capabilities) ? { tools: {} } : {},
        serverInfo: { name: '', version: '' },
      };
    case 'tools/list': {
      const nextCursor = textOf(fields.nextCursor);
      return {
        tools: listOf(fields.tools, MAX_TOOLS)
          .map(reducedTool)
          .filter(({ name }) => name !== ''),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      };
    }
    case 'tools/call': {
      const { structuredContent: data, content, isError } = fields;
      return {
        content: listOf(content, MAX_PARTS).flatMap((part) => {
          const { text } = fieldsOf(part);
          return typeof text === 'string' ? [{ type: 'text', text }] : [];
        }),
        ...(isFields(data) ? { structuredContent: data } : {}),
        isError: isError === true,
      };
    }
    default:
      return {};
  }
}

function reducedTool(tool: unknown) {
  const { name, description, inputSchema, annotations } = fieldsOf(tool);
  const { properties, required } = fieldsOf(inputSchema);
  return {
    name: textOf(name) ?? '',
    description: textOf(description) ?? '',
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fieldsOf(properties))
          .slice(0, MAX_PROPERTIES)
          .map(([property, schema]) => [property, reducedProperty(schema)]),
      ),
      required: listOf(required, MAX_LISTED).filter((each) => typeof each === 'string'),
    },
    annotations: { readOnlyHint: fieldsOf(annotations).readOnlyHint === true },
  };
}

/** The parts of a property's schema that a form can show. */
function reducedProperty(schema: unknown): Fields {
  const { type, title, description, format, pattern, enum: options } = fieldsOf(schema);
  return Object.fromEntries(
    Object.entries({
      type: Array.isArray(type) ? listOf(type, MAX_LISTED) : textOf(type),
      title: textOf(title),
      description: textOf(description),
      format: textOf(format),
      pattern: textOf(pattern),
      enum: Array.isArray(options) && options.length <= MAX_LISTED ? options : undefined,
    }).filter(([, value]) => value !== undefined),
  );
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const listOf = (value: unknown, most: number): unknown[] =>
  Array.isArray(value) ? (value as unknown[]).slice(0, most) : [];
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined;
