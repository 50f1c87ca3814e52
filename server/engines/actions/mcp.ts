import { EngineError } from '#server/lib/engine-error';
import { parseShallowJson } from '#server/lib/shallow-json';
import { timeLimit, untilAborted } from '#server/lib/wait';
import type { ActionsEngine, SystemAnswer, ToolCall, ToolServer } from './contract.ts';
import { type ActionsOptions, isNestedTooDeep, MAX_BYTES, NESTED_TOO_DEEP, TIMEOUT_MS } from './http.ts';
import { type Allowance, onlyItsAnswer } from './mcp-answers.ts';
import { MAX_TOOLS } from './mcp-results.ts';

/** Most bytes of one connection: a list of tools is longer than an answer. */
const MAX_BYTES_IN_ALL = 1_000_000;
const MAX_PAGES = 20;

/**
 * Uses the tools of servers that speak the Model Context Protocol, by its official SDK over Streamable HTTP.
 * A server's schemas are never compiled, and only answers to our own requests are read.
 */
export function createToolCalls({
  outside,
  privateHosts,
  timeoutMs = TIMEOUT_MS,
}: ActionsOptions): Pick<ActionsEngine, 'callTool' | 'tools'> {
  return {
    async tools(server, signal) {
      try {
        return await connected(server, signal, async (client, options) => {
          const found: Tool[] = [];
          for await (const tool of toolsOf(client, options)) found.push(tool);
          return found.map(({ name, description, inputSchema, annotations }) => ({
            name,
            description: description ?? '',
            input: inputSchema,
            readOnly: annotations?.readOnlyHint === true,
          }));
        });
      } catch (error) {
        signal.throwIfAborted();
        throw asSentence(error);
      }
    },

    async callTool({ tool, input, idempotencyKey, ...server }, signal) {
      const begin = performance.now();
      const answered = (answer: Omit<SystemAnswer, 'ms'>): SystemAnswer => ({
        ...answer,
        ms: Math.round(performance.now() - begin),
      });
      const headers = { ...server.headers, ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}) };
      let wasSent = false;
      try {
        const result = await connected({ ...server, headers }, signal, async (client, options) => {
          let face: Tool | undefined;
          for await (const each of toolsOf(client, options)) {
            if (each.name === tool) face = each;
            if (face) break;
          }
          if (!face) throw new EngineError(`It has no tool called ${tool} any more.`, { retryable: false });
          wasSent = true;
          const call = { name: tool, arguments: typed(input, face.inputSchema.properties ?? {}) };
          return client.callTool(call, undefined, options);
        });
        const answer = answerOf(result);
        const written = JSON.stringify(answer);
        if (written.length > MAX_BYTES)
          throw new EngineError('It answered with more than 64 kB.', { retryable: false });
        if (isNestedTooDeep(Buffer.from(written)))
          throw new EngineError(NESTED_TOO_DEEP, { retryable: false });
        return result.isError
          ? answered({ outcome: 'refused', status: 200, answer, problem: 'The tool says that it failed.' })
          : answered({ outcome: 'done', status: 200, answer });
      } catch (error) {
        signal.throwIfAborted();
        const { message } = asSentence(error);
        return answered({
          outcome: wasSent ? 'unknown' : 'failed',
          status: null,
          answer: null,
          problem: message,
        });
      }
    },
  };

  /**
   * The SDK loads on first use, since few servers have such actions. One clock ends all work of the
   * connection.
   */
  async function connected<T>(
    { account, url, headers }: ToolServer,
    signal: AbortSignal,
    use: (client: Client, options: Options) => Promise<T>,
  ): Promise<T> {
    const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ]);
    const clock = timeLimit(timeoutMs);
    const ends = AbortSignal.any([signal, clock]);
    const allowance: Allowance = { left: MAX_BYTES_IN_ALL };
    const client = new Client({ name: 'Sigma', version: '1' }, { jsonSchemaValidator: compilesNothing });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
      async fetch(address, init = {}) {
        const { method = 'GET', body } = init;
        // Answer other requests of the SDK ourselves: we do not listen for messages that the server starts.
        if (method !== 'POST' || typeof body !== 'string') return new Response(null, { status: 405 });
        const { response } = await outside.fetch(
          {
            account,
            url: String(address),
            method,
            headers: Object.fromEntries(new Headers(init.headers)),
            body,
            timeoutMs,
            maxBytes: MAX_BYTES_IN_ALL,
            privateHosts,
          },
          init.signal ?? undefined,
        );
        return onlyItsAnswer(body, response, allowance);
      },
    });
    const options = { signal: ends, timeout: timeoutMs };
    const all = client.connect(transport, options).then(() => use(client, options));
    try {
      return await untilAborted(all, ends);
    } catch (error) {
      signal.throwIfAborted();
      throw clock.aborted ? new EngineError('It took too long to answer.', { retryable: true }) : error;
    } finally {
      await client.close().catch(() => {});
    }
  }
}

/** Lists tools page by page, up to the limit. */
async function* toolsOf(client: Client, options: Options): AsyncGenerator<Tool> {
  let cursor: string | undefined;
  let tools = 0;
  for (let page = 0; page < MAX_PAGES && tools < MAX_TOOLS; page++) {
    const list = await client.listTools(cursor === undefined ? {} : { cursor }, options);
    const found = list.tools.slice(0, MAX_TOOLS - tools);
    yield* found;
    tools += found.length;
    cursor = list.nextCursor;
    if (!cursor) return;
  }
}

/** The SDK would compile output schemas. They are removed before it sees them, so this is never called. */
const compilesNothing = {
  getValidator(): never {
    throw new Error('No schema of a stranger is compiled.');
  },
};

type Options = { signal: AbortSignal; timeout: number };
type Client = import('@modelcontextprotocol/sdk/client/index.js').Client;
type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** Converts spoken inputs to the types that the tool declares, e.g. numbers. */
const typed = (input: ToolCall['input'], properties: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const property = properties[name];
      const isNumber =
        property &&
        'type' in property &&
        [property.type].flat().some((type) => type === 'integer' || type === 'number');
      return [name, isNumber && /^-?\d{1,15}(?:\.\d+)?$/.test(value) ? Number(value) : value];
    }),
  );

/** A tool's answer: its structured data, else the JSON in its text, else `{text}`. */
function answerOf(result: Awaited<ReturnType<Client['callTool']>>): unknown {
  if (result.structuredContent) return result.structuredContent;
  const content = Array.isArray(result.content) ? (result.content as unknown[]) : [];
  const text = content
    .flatMap((part) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? [part.text]
        : [],
    )
    .join('\n');
  try {
    const json = parseShallowJson(text);
    if (typeof json === 'object' && json !== null) return json;
  } catch {}
  return { text };
}

/** The SDK's own message is for programmers and may repeat what a server sent, so it is replaced. */
function asSentence(error: unknown): EngineError {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof EngineError) return cause;
  const code = error instanceof Error && 'code' in error ? Number(error.code) : 0;
  if (code === 401 || code === 403)
    return new EngineError(`It refused the headers (${code}): check the key.`, { retryable: false });
  if (code === -32_001) return new EngineError('It took too long to answer.', { retryable: true });
  return new EngineError('This is no server that speaks the Model Context Protocol, or it has a problem.', {
    retryable: true,
    cause: error,
  });
}
