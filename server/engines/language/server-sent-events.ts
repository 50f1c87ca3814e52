import { createParser, ParseError } from 'eventsource-parser';

/** Longest event that is waited for, in characters: a server that never ends a line does not fill the memory. */
const MAX_EVENT = 1_000_000;

/**
 * The data of each server-sent event in a stream of bytes, wherever its chunks are cut, even inside a character.
 * @throws ParseError when an event is longer than any model sends
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  let overlong: ParseError | null = null;
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data }) => events.push(data),
    onError: (error) => {
      if (error instanceof ParseError && error.type === 'max-buffer-size-exceeded') overlong = error;
    },
  });
  const feed = (text: string) => {
    parser.feed(text);
    if (overlong) throw overlong;
    return events.splice(0);
  };
  for await (const chunk of body) yield* feed(decoder.decode(chunk, { stream: true }));
  // Some servers end without the closing blank line.
  yield* feed(`${decoder.decode()}\n\n`);
}
