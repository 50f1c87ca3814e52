import type { LanguageEngine } from '#server/engines/language/contract';

/** Only the text of a model's stream. */
export async function* textIn(events: ReturnType<LanguageEngine['stream']>): AsyncGenerator<string> {
  for await (const event of events) if (event.type === 'text') yield event.text;
}
