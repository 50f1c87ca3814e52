import { EngineError, ProviderComplaint } from '#server/lib/engine-error';

const MAX_CHARACTERS = 300;
/** Shorter strings are not secrets and occur inside many words. */
const SHORTEST_SECRET = 6;
/** Providers quote a key by its first characters. */
const TELLING_START = 5;

/**
 * What went wrong with an engine, in one sentence, quoting the provider where possible. For owners only.
 * @param secrets strings that must not appear, whole or by their first characters
 */
export function complaintOf(error: unknown, secrets: readonly string[]): string {
  const sentence = error instanceof EngineError ? error.message : 'The engine reported an error.';
  const words = error instanceof Error ? ownWords(error.cause) : null;
  if (!words) return sentence;
  const said = withoutSecrets(words.replaceAll(/\s+/g, ' ').trim(), secrets).slice(0, MAX_CHARACTERS);
  return said === '' || sentence.includes(said) ? sentence : `${sentence} It says: “${said}”`;
}

/** The first informative message in a chain of causes; messages of our own parsers are skipped. */
function ownWords(cause: unknown): string | null {
  if (cause instanceof ProviderComplaint) return cause.words;
  if (!(cause instanceof Error) || /^(?:ZodError|SyntaxError)$/.test(cause.name)) return null;
  const { message } = cause;
  if (message !== '' && message !== 'fetch failed') return message;
  if (cause.cause) return ownWords(cause.cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const starts = secrets
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .map((secret) => secret.slice(0, TELLING_START));
  return text
    .split(' ')
    .map((word) => (starts.some((start) => word.includes(start)) ? '•••' : word))
    .join(' ');
}
