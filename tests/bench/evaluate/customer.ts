import { z } from 'zod';
import type { WholeReply } from '#server/dialogue/contract';
import type { ReadingEngine } from '#server/engines/reading/contract';
import type { Case } from './case.ts';

const choiceSchema = z.union([z.string(), z.looseObject({ label: z.string() }).transform((c) => c.label)]);
const choicesSchema = z.looseObject({ choices: z.array(choiceSchema).min(1) });

/**
 * The answer of a customer who knows what they want to an offer or a question, only in the words that it named.
 * @param isRight whether the reply is right already
 * @returns null if no answer is needed
 */
export async function answerTo(
  { nature, question, ideal }: Pick<Case, 'nature' | 'question' | 'ideal'>,
  reply: Pick<WholeReply, 'text' | 'outcome' | 'state'>,
  isRight: boolean,
  reading: Pick<ReadingEngine, 'embed'>,
): Promise<string | null> {
  if (nature === 'vague') return null;
  if (reply.outcome === 'offered') return isRight && nature === 'answerable' ? 'Yes.' : "No, that's not it.";
  if (reply.outcome !== 'asked-back') return null;
  if (nature === 'unanswerable') return 'No, none of these.';
  const choices = choicesOf(reply);
  if (isRight || choices.length === 0) return null;
  const [wanted, ...offered] = await reading.embed([ideal ?? question, ...choices]);
  const near = offered.map((vector) => vector.reduce((sum, x, at) => sum + x * (wanted?.[at] ?? 0), 0));
  return choices[near.indexOf(Math.max(...near))] ?? null;
}

/** The options of a question: from the dialogue's own state, or read from "Is it about a, b or c?". */
function choicesOf({ text, state }: Pick<WholeReply, 'text' | 'state'>): string[] {
  const kept = choicesSchema.safeParse(state);
  if (kept.success) return kept.data.choices;
  const asked = text.match(/[^.!?]*\?/g)?.at(-1) ?? '';
  const parts = asked
    .replace(/^.*:|\?$/g, '')
    .split(/,|\bor\b/i)
    .map((part) => part.replace(/^.*\b(?:mean|asking|look(?:ing)?|like|want|is (?:it|this|that))\b/i, ''))
    .map((part) => part.replace(/^\s*(?:about|at|with|for|to)\b/i, '').trim())
    .filter((part) => part && !/^something else$/i.test(part));
  return parts.length < 2 ? [] : parts;
}
