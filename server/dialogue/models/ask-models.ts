import type {
  ChatMessage,
  CompletionEvent,
  CompletionRequest,
  LanguageEngine,
  ToolCall,
} from '#server/engines/language/contract';
import { EngineError } from '#server/lib/engine-error';
import type { ActionTools, ToolResult } from '../actions/tools.ts';
import { takeCitations } from './clean/citations.ts';
import { cleaned } from './clean/clean.ts';
import { counted, type Tokens } from './model-uses.ts';
import type { StreamedSentence } from './sentence-stream.ts';

/** A model that failed within this time is retried once: the customer has hardly waited yet. */
const RETRY_WITHIN_MS = 1_000;
/** Times that a model is asked in one turn, including after tool results. */
const MAX_ROUNDS = 5;

interface Asking {
  sentences: AsyncIterable<StreamedSentence>;
  stop: AbortController;
}

/**
 * Sentences of the first model that gives any; null at the end of a whole answer. Ends without it if none answered, or
 * one broke off.
 */
export async function* askInOrder(
  {
    models,
    onFailure,
  }: { models: readonly LanguageEngine[]; onFailure(model: string, error: unknown): void },
  signal: AbortSignal,
  ask: (model: LanguageEngine) => Asking,
): AsyncGenerator<{ model: LanguageEngine; sentence: StreamedSentence | null }> {
  for (const model of models) {
    for (let attempt = 0; attempt < 2; attempt++) {
      const begin = performance.now();
      const { sentences, stop } = ask(model);
      let hasSpoken = false;
      try {
        for await (const sentence of sentences) {
          hasSpoken = true;
          yield { model, sentence };
        }
        yield { model, sentence: null };
        return;
      } catch (error) {
        signal.throwIfAborted();
        onFailure(model.name, error);
        if (hasSpoken) return;
        const isWorthIt = error instanceof EngineError && error.retryable;
        if (!isWorthIt || performance.now() - begin > RETRY_WITHIN_MS) break;
      } finally {
        stop.abort(new Error('Nobody listens any more.'));
      }
    }
  }
}

/** A caller waits this long after a filler, and hardly longer. */
const MAX_THINKING_MS = 25_000;

/**
 * A model's text, cleaned (`clean/`); its tool calls run, and it continues with their results, until one needs
 * confirmation.
 * @throws EngineError if its token limit cut it off, since its last words are no sentence; if it says nothing, and if
 *   it thinks for too long
 */
export async function* textOf(
  model: LanguageEngine,
  request: CompletionRequest,
  tools: ActionTools,
  { onUsed, onResult }: { onUsed(tokens: Tokens): void; onResult(result: ToolResult): void },
): AsyncGenerator<string> {
  let messages = request.messages;
  const begin = performance.now();
  let hasSpoken = false;
  const onThinking = () => {
    if (!hasSpoken && performance.now() - begin > MAX_THINKING_MS)
      throw new EngineError('The language model thought for too long.', { retryable: false });
  };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const calls: ToolCall[] = [];
    let said = '';
    const events = counted(model, { ...request, messages, tools: tools.tools }, onUsed);
    const isOffered = ({ name }: ToolCall) => tools.tools.some((tool) => tool.name === name);
    const pieces = textIn(events, (call) => void calls.push(call));
    for await (const text of cleaned(pieces, model.habits, {
      onThinking,
      onCall: (call) => void (isOffered(call) && calls.push(call)),
    })) {
      said += text;
      hasSpoken ||= text.trim() !== '';
      yield text;
    }
    if (calls.length === 0) {
      if (hasSpoken || round > 0) return;
      throw new EngineError('The language model gave no answer.', { retryable: true });
    }
    const results: ChatMessage[] = [];
    for (const call of calls) {
      const result = await tools.call(call, request.signal);
      onResult(result);
      if (result.ask) return;
      results.push({ role: 'tool', call, result: result.result });
    }
    messages = [...messages, { role: 'assistant', content: takeCitations(said).text, calls }, ...results];
    // Its next words are another sentence.
    yield '\n';
  }
}

async function* textIn(
  events: AsyncIterable<CompletionEvent>,
  onCall: (call: ToolCall) => void,
): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'call') onCall(event.call);
    else if (event.type === 'text') yield event.text;
    else if (event.type === 'end' && event.reason === 'cut')
      throw new EngineError('The language model did not come to an end.', { retryable: false });
  }
}
