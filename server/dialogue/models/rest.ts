import type { Citation } from '#shared/conversations';
import type { ReplyEvent, WholeReply } from '../contract.ts';
import type { ReplySentences } from './reply-sentences.ts';

/** A sentence with this share of already said words adds nothing. */
const SAID_ALREADY = 0.6;

/** Whether a sentence adds to the words already said. */
export function newBeside(said: string, termsOf: (text: string) => string[]): (sentence: string) => boolean {
  const known = new Set(termsOf(said));
  return (sentence) => {
    const terms = termsOf(sentence);
    return terms.length > 0 && terms.filter((term) => known.has(term)).length / terms.length < SAID_ALREADY;
  };
}

interface Rest {
  /** No word was said yet: the reader's reply may stand as it is. */
  isWhole: boolean;
  events: ReplyEvent[];
  /** The complete reply of the reader. */
  whole: WholeReply | undefined;
  isAnswer: boolean;
  /** Its sentences that add to the words said. */
  sentences: string[];
  citations: readonly Citation[];
}

/** The embedded reader's completion of a reply that a model broke off. */
export async function theRest(
  events: AsyncIterable<ReplyEvent>,
  reply: ReplySentences,
  termsOf: (text: string) => string[],
): Promise<Rest> {
  const all: ReplyEvent[] = [];
  for await (const event of events) all.push(event);
  const whole = all.find((event): event is { type: 'reply' } & WholeReply => event.type === 'reply');
  const isNew = newBeside(reply.text, termsOf);
  const isAnswer = whole?.outcome === 'answered';
  const sentences = all.flatMap((event) =>
    isAnswer && event.type === 'sentence' && isNew(event.text) ? [event.text] : [],
  );
  return {
    isWhole: reply.length === 0,
    events: all,
    whole,
    isAnswer,
    sentences,
    citations: whole?.citations ?? [],
  };
}
