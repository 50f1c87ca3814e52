import type { LanguageEngine } from '#server/engines/language/contract';

/** The text of what a model streams, where nothing else of it counts. */
export async function* textIn(events: ReturnType<LanguageEngine['stream']>): AsyncGenerator<string> {
  for await (const event of events) if (event.type === 'text') yield event.text;
}
