import { decideDanger, readByThemselves, seeDanger } from '#server/languages/danger';
import { isOfPack, packOf } from '#server/languages/index';
import type { Danger, ReadMessage } from '#server/languages/messages';
import type { CustomerTurn } from '../contract.ts';
import type { Knowing } from '../knowledge/find.ts';
import { isWrittenIn } from '../written-in.ts';

/** Of longer messages only the beginning and the end are read, in characters. */
const MAX_READ = 600;

/**
 * Whether the customer is in danger: by the message's meaning together with words of the language, which decide alone
 * if the encoder is not ready or too slow. The search needs the same vector, so this costs hardly any time.
 * @throws the signal's reason
 */
export async function dangerOf(
  { reading, readingEnds }: Pick<Knowing, 'reading' | 'readingEnds'>,
  { agent, text }: Pick<CustomerTurn, 'agent' | 'text'>,
  message: Pick<ReadMessage, 'needs' | 'danger'>,
  signal: AbortSignal,
): Promise<Danger | null> {
  const { words, splitSentences } = packOf(agent.language);
  const isReadable = isOfPack(agent.language) && isWrittenIn(text, words);
  // Greetings and thanks need no reading.
  const isTold = message.needs.length > 0 || message.danger !== null;
  if (!isTold || !isReadable || reading?.status().state !== 'ready') return message.danger;
  try {
    const vectors = await reading.embed([shortened(text), ...readByThemselves(text, splitSentences)], {
      as: 'question',
      signal: readingEnds === null ? signal : AbortSignal.any([signal, readingEnds]),
    });
    const seen = vectors.flatMap((vector) => seeDanger(vector, reading.revision) ?? []);
    return decideDanger(message.danger, seen);
  } catch {
    signal.throwIfAborted();
    return message.danger;
  }
}

const shortened = (text: string) =>
  text.length <= MAX_READ ? text : `${text.slice(0, MAX_READ / 2)} ${text.slice(-MAX_READ / 2)}`;
