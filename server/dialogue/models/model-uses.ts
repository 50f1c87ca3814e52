import type {
  CompletionEvent,
  CompletionRequest,
  LanguageEngine,
  Usage,
} from '#server/engines/language/contract';
import type { ModelUse } from '../contract.ts';

export type Tokens = Pick<ModelUse, 'input' | 'output'>;

/** Characters of an English token in current models. */
const CHARACTERS_OF_A_TOKEN = 4;

/** The use of models in one reply: one row each, however often it was asked. */
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
 * Asks a model. Estimates tokens that its server does not count: many count none for an answer that was broken off,
 * although it is paid for. A server that failed before any answer used none.
 * @param onUsed called with its use at the end, with or without success
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
