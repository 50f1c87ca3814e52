import type {
  CompletionEvent,
  CompletionRequest,
  LanguageEngine,
  Usage,
} from '#server/engines/language/contract';
import type { ModelUse } from '../contract.ts';

export type Tokens = Pick<ModelUse, 'input' | 'output'>;

/** A token of English in the vocabularies of today's models. */
const CHARACTERS_OF_A_TOKEN = 4;

/** What models took of one reply: one row each, however often it was asked. */
export class ModelUses {
  readonly #byModel = new Map<string, ModelUse>();

  add(model: string, { input, output }: Tokens): void {
    const before = this.#byModel.get(model) ?? { input: 0, output: 0 };
    this.#byModel.set(model, { model, input: before.input + input, output: before.output + output });
  }

  [Symbol.iterator](): Iterator<ModelUse> {
    return this.#byModel.values();
  }
}

/**
 * Asks a model. What its server does not count is estimated: many count nothing of an answer that was broken off, which is
 * paid for all the same. A server that failed before it answered anything took nothing.
 * @param onUsed told what it took once it has ended, however it did
 */
export async function* counted(
  model: LanguageEngine,
  request: CompletionRequest,
  onUsed: (tokens: Tokens) => void,
): AsyncGenerator<CompletionEvent> {
  request.signal.throwIfAborted();
  let written = 0;
  let hasAnswered = false;
  let usage: Usage | null = null;
  try {
    for await (const event of model.stream(request)) {
      hasAnswered = true;
      if (event.type === 'end') usage = event.usage;
      else if (event.type !== 'thinking')
        written += charactersOf(event.type === 'text' ? event.text : event.call);
      yield event;
    }
  } finally {
    if (hasAnswered || request.signal.aborted) {
      const { instructions, knowledge, messages, tools } = request;
      onUsed({
        input: usage?.input ?? tokensOf(charactersOf([instructions, knowledge ?? '', messages, tools ?? []])),
        output: usage?.output ?? tokensOf(written),
      });
    }
  }
}

const charactersOf = (sent: unknown) => (typeof sent === 'string' ? sent : JSON.stringify(sent)).length;

const tokensOf = (characters: number) => Math.ceil(characters / CHARACTERS_OF_A_TOKEN);
