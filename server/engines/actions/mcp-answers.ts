import { EngineError } from '#server/lib/engine-error';
import { parseShallowJson } from '#server/lib/shallow-json';
import { reducedResult } from './mcp-results.ts';

/** Most messages before the answer: progress, logs, questions from the server. */
const MAX_EVENTS = 1_000;
const MAX_PROBLEM = 500;

/** Bytes that a connection may still deliver. */
export interface Allowance {
  left: number;
}

/**
 * The one message that answers our request, reduced to the fields we use, as a response that the SDK reads.
 * Everything else that a tool server sends is dropped before the SDK sees it: schemas that it would compile,
 * questions that it would answer with requests, thousands of messages that it would check.
 * @param sent the message that was sent, as JSON
 * @throws EngineError when too much comes; Error when the answer is missing; any error from reading the body
 */
export async function onlyItsAnswer(
  sent: string,
  response: Response,
  allowance: Allowance,
): Promise<Response> {
  const { id, method } = JSON.parse(sent) as { id?: unknown; method?: unknown };
  const { status, headers } = response;
  if (id === undefined || !response.ok) {
    await response.body?.cancel();
    return new Response(null, { status, headers });
  }
  const isStream = /^\s*text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  let events = 0;
  for await (const text of isStream ? eventsIn(response, allowance) : [await wholeOf(response, allowance)]) {
    const answer = messagesIn(text).find((message) => message.id === id);
    if (answer) {
      const session = headers.get('mcp-session-id');
      return Response.json(reducedMessage(answer, method), {
        headers: session === null ? {} : { 'mcp-session-id': session },
      });
    }
    if (++events >= MAX_EVENTS) break;
  }
  throw new Error('The server sent no answer to what it was asked.');
}

type Message = Readonly<Record<string, unknown>>;

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && ('result' in value || 'error' in value);

/** The messages in a body; older servers send several at once. */
function messagesIn(text: string): Message[] {
  try {
    const written = parseShallowJson(text);
    return (Array.isArray(written) ? (written as unknown[]) : [written]).filter(isMessage);
  } catch {
    return [];
  }
}

function reducedMessage({ id, result, error }: Message, method: unknown): object {
  if (result !== undefined) return { jsonrpc: '2.0', id, result: reducedResult(method, result) };
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: Number.isInteger(code) ? code : 0,
      message: typeof message === 'string' ? message.slice(0, MAX_PROBLEM) : '',
    },
  };
}

/** The body, decoded as it comes. */
async function* textOf({ body }: Response, allowance: Allowance): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    allowance.left -= piece.byteLength;
    if (allowance.left < 0) throw new EngineError('It sends too much.', { retryable: false });
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

async function wholeOf(response: Response, allowance: Allowance): Promise<string> {
  let text = '';
  for await (const piece of textOf(response, allowance)) text += piece;
  return text;
}

/** The data of each event in a stream (HTML, 9.2.6, server-sent events). */
async function* eventsIn(response: Response, allowance: Allowance): AsyncGenerator<string> {
  let unread = '';
  let data: string[] = [];
  for await (const piece of textOf(response, allowance)) {
    unread += piece;
    // Scan a line only once, even if it comes in a thousand pieces.
    if (!/[\r\n]/.test(piece)) continue;
    const lines = unread.split(/\r\n|\n|\r(?!$)/);
    unread = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}
