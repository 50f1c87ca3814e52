/**
 * The data of each server-sent event in a stream of bytes, wherever its chunks are cut, even inside a character.
 * Comments and other fields are left out; several data lines of one event are joined by line breaks.
 * Source: HTML Living Standard, 9.2.6 "Interpreting an event stream".
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  let data: string[] = [];
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    // A carriage return at the very end may be the first half of a line break.
    const complete = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = complete.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    text = rest + text.slice(complete.length);
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
      } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    }
  }
  const last = (text + decoder.decode()).replace(/\r$/, '');
  if (last.startsWith('data:')) data.push(last.slice(5).replace(/^ /, ''));
  // Some servers end without the closing blank line.
  if (data.length > 0) yield data.join('\n');
}
