import { EngineError, ProviderComplaint } from '#server/lib/engine-error';

const MAX_CHARACTERS = 300;
/** Shorter ones are no secrets, and stand in many a word. */
const SHORTEST_SECRET = 6;
/** Providers tell a key by how it begins. */
const TELLING_START = 5;

/**
 * What went wrong with an engine, in one sentence and in the provider's own words where it has some: for owners alone.
 * @param secrets what must not stand in it, nor begin like a word of it
 */
export function complaintOf(error: unknown, secrets: readonly string[]): string {
  const sentence = error instanceof EngineError ? error.message : 'The engine reported an error.';
  const words = error instanceof Error ? ownWords(error.cause) : null;
  if (!words) return sentence;
  const said = withoutSecrets(words.replaceAll(/\s+/g, ' ').trim(), secrets).slice(0, MAX_CHARACTERS);
  return said === '' || sentence.includes(said) ? sentence : `${sentence} It says: “${said}”`;
}

/** The first words in a chain of causes that tell something; what a parser of ours says does not. */
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
