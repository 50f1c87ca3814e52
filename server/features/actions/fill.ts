import type { ActionDraft } from '#shared/actions';

type Inputs = Readonly<Record<string, string>>;

const input = /\{([A-Za-z]\w*)\}/g;
const field = /\{answer((?:\.[\w-]+)*)\}/g;
/** Longest value in a spoken sentence, in characters. */
const MAX_SAID = 300;
const MAX_LISTED = 10;

const plain = (text: string, inputs: Inputs) =>
  text.replace(input, (_, name: string) => (Object.hasOwn(inputs, name) ? (inputs[name] ?? '') : ''));

/**
 * An address with the customer's inputs in it, encoded.
 * @returns null if a value such as ".." would lead to another place on the host
 */
export function fillUrl(url: string, inputs: Inputs): string | null {
  const encoded = (value: (name: string) => string) => url.replace(input, (_, name: string) => value(name));
  const filled = URL.parse(
    encoded((name) => encodeURIComponent(Object.hasOwn(inputs, name) ? (inputs[name] ?? '') : '')),
  );
  const shape = URL.parse(encoded(() => 'x'));
  const depth = (address: URL | null) => address?.pathname.split('/').length;
  return filled && shape && filled.origin === shape.origin && depth(filled) === depth(shape)
    ? filled.href
    : null;
}

/** Header values hold printable characters of one line: removes others from the customer's inputs. */
export const fillHeaders = (headers: Inputs, inputs: Inputs): Record<string, string> => {
  const safe = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, value.replace(/[^\x20-\x7e\xa0-\xff]/g, '')]),
  );
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, plain(value, safe)]));
};

/** A body with its strings filled; undefined stays undefined. */
export function fillBody(body: ActionDraft['body'], inputs: Inputs): unknown {
  if (typeof body === 'string') return plain(body, inputs);
  if (Array.isArray(body)) return body.map((each) => fillBody(each, inputs));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, fillBody(value, inputs)]));
}

/**
 * The spoken sentence for an answer.
 * @returns the sentence, or which field of the answer is missing
 */
export function fillSays(
  says: string,
  inputs: Inputs,
  answer: unknown,
): { said: string } | { missing: string } {
  let missing: string | null = null;
  const said = plain(
    says.replace(field, (written: string, path: string) => {
      const value = sayable(at(answer, path.split('.').filter(Boolean)));
      if (value === null) missing ??= written;
      return (value ?? '').replace(/[{}]/g, '');
    }),
    inputs,
  );
  return missing === null ? { said } : { missing };
}

function at(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? at((value as Record<string, unknown>)[key], rest)
    : undefined;
}

/** A value as text for a sentence, lists as their items; null if it has no such form. */
function sayable(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string')
    return (
      value
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, MAX_SAID) || null
    );
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value.slice(0, MAX_LISTED).map((each) => (Array.isArray(each) ? null : sayable(each)));
  return items.includes(null) ? null : items.join(', ').slice(0, MAX_SAID);
}
