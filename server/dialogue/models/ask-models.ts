import { EngineError } from '#server/engines/engine-error';
import type {
  ChatMessage,
  CompletionRequest,
  LanguageEngine,
  ToolCall,
} from '#server/engines/language/contract';
import type { ActionTools, ToolResult } from '../actions/tools.ts';
import { tidied } from './cited.ts';
import { counted, type Tokens } from './model-uses.ts';
import type { StreamedSentence } from './sentence-stream.ts';

/** A model that failed within this time is asked once more: nobody has waited yet. */
const RETRY_WITHIN_MS = 1_000;
/** Times that a model is asked in one turn, what it called being answered in between. */
const MAX_ROUNDS = 5;

interface Asking {
  sentences: AsyncIterable<StreamedSentence>;
  stop: AbortController;
}

/**
 * Sentences of the first model that has any to say; null at the end of a whole answer. Ends without it where none
 * answered, or one broke off.
 */
export async function* askInOrder(
  {
    models,
    onFailure,
  }: { models: readonly LanguageEngine[]; onFailure(model: string, error: unknown): void },
  signal: AbortSignal,
  ask: (model: LanguageEngine) => Asking,
): AsyncGenerator<{ model: string; sentence: StreamedSentence | null }> {
  for (const model of models) {
    for (let attempt = 0; attempt < 2; attempt++) {
      const begin = performance.now();
      const { sentences, stop } = ask(model);
      let hasSpoken = false;
      try {
        for await (const sentence of sentences) {
          hasSpoken = true;
          yield { model: model.name, sentence: { ...sentence, text: tidied(sentence.text) } };
        }
        yield { model: model.name, sentence: null };
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

/**
 * What a model says; what it calls is run, and it goes on with what came of that, until something is to be confirmed.
 * @throws EngineError where its limit of tokens cut it off: what it was saying then is no sentence
 */
export async function* textOf(
  model: LanguageEngine,
  request: CompletionRequest,
  tools: ActionTools,
  { onUsed, onResult }: { onUsed(tokens: Tokens): void; onResult(result: ToolResult): void },
): AsyncGenerator<string> {
  let messages = request.messages;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const calls: ToolCall[] = [];
    let said = '';
    for await (const event of counted(model, { ...request, messages, tools: tools.tools }, onUsed)) {
      if (event.type === 'call') calls.push(event.call);
      else if (event.type === 'text') {
        said += event.text;
        yield event.text;
      } else if (event.reason === 'cut')
        throw new EngineError('The language model did not come to an end.', { retryable: false });
    }
    if (calls.length === 0) return;
    const results: ChatMessage[] = [];
    for (const call of calls) {
      const result = await tools.call(call, request.signal);
      onResult(result);
      if (result.ask) return;
      results.push({ role: 'tool', call, result: result.result });
    }
    messages = [...messages, { role: 'assistant', content: said, calls }, ...results];
    // What it says next is another sentence.
    yield '\n';
  }
}
