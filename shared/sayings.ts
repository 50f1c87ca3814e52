import { z } from 'zod';
import { atMost } from './characters.ts';
import { type KeyWithMax, refusal, sentenceOf } from './refusals/refusal.ts';
import { storable } from './storable.ts';

const MAX_SAID_CHARACTERS = 1_000;
export const MAX_ABOUT_CHARACTERS = 500;
export const MAX_AVOIDED_CHARACTERS = 100;
/** The most answers, forbidden words, and handover topics, each. */
export const MAX_SAYINGS = 50;

const text = (max: number, tooLong: KeyWithMax) =>
  z
    .string()
    .overwrite(storable)
    .trim()
    .refine((written) => atMost(written, max), sentenceOf(refusal(tooLong, { max })));

const listOf = (entry: z.ZodType<string, string>, tooMany: KeyWithMax) =>
  z
    .array(entry)
    .refine(
      (entries) => entries.filter(Boolean).length <= MAX_SAYINGS,
      sentenceOf(refusal(tooMany, { max: MAX_SAYINGS })),
    )
    .transform((entries) => entries.filter(Boolean));

const fixedAnswerSchema = z.object({
  /** The topic that customers ask about: a few words, or the question as they ask it. Several are on separate lines. */
  about: text(MAX_ABOUT_CHARACTERS, 'agents.answer-about-too-long'),
  say: text(MAX_SAID_CHARACTERS, 'common.answer-too-long'),
});
export type FixedAnswer = z.infer<typeof fixedAnswerSchema>;

/** A business's decisions about the agent's fixed words, forbidden words and handovers. */
export const sayingsSchema = z.object({
  /** The first words of a conversation; blank: the agent's default. */
  greeting: text(MAX_SAID_CHARACTERS, 'agents.greeting-too-long'),
  /** The reply to a customer's goodbye; blank: the agent's default. */
  goodbye: text(MAX_SAID_CHARACTERS, 'agents.goodbye-too-long'),
  /** Said word for word to a customer who asks about it. */
  answers: z
    .array(
      fixedAnswerSchema.superRefine(({ about, say }, context) => {
        if (say && !about)
          context.addIssue({
            code: 'custom',
            path: ['about'],
            message: sentenceOf('agents.answer-about-missing'),
          });
        if (about && !say)
          context.addIssue({
            code: 'custom',
            path: ['say'],
            message: sentenceOf('agents.answer-say-missing'),
          });
      }),
    )
    .refine(
      (answers) => answers.filter(isWritten).length <= MAX_SAYINGS,
      sentenceOf(refusal('agents.answers-too-many', { max: MAX_SAYINGS })),
    )
    .transform((answers) => answers.filter(isWritten)),
  /** Words that the agent never uses. */
  neverSay: listOf(text(MAX_AVOIDED_CHARACTERS, 'agents.never-say-too-long'), 'agents.never-say-too-many'),
  /** Topics that a colleague takes over. */
  handOverWhen: listOf(text(MAX_ABOUT_CHARACTERS, 'agents.hand-over-too-long'), 'agents.hand-over-too-many'),
});
export type Sayings = z.infer<typeof sayingsSchema>;

/**
 * The decided fields. A missing one is read from the agent's prompts, as before there were fields; a blank one counts
 * as decided.
 */
export const decidedSayingsSchema = sayingsSchema.partial();
export type DecidedSayings = z.infer<typeof decidedSayingsSchema>;

/** The same as the server returns it. */
export const shownSayingsSchema = z
  .object({
    greeting: z.string(),
    goodbye: z.string(),
    answers: z.array(z.object({ about: z.string(), say: z.string() })),
    neverSay: z.array(z.string()),
    handOverWhen: z.array(z.string()),
  })
  .partial();

/** Picks the decided fields from an object with more. */
export const sayingsIn = ({
  greeting,
  goodbye,
  answers,
  neverSay,
  handOverWhen,
}: DecidedSayings): DecidedSayings => ({
  ...(greeting !== undefined && { greeting }),
  ...(goodbye !== undefined && { goodbye }),
  ...(answers !== undefined && { answers }),
  ...(neverSay !== undefined && { neverSay }),
  ...(handOverWhen !== undefined && { handOverWhen }),
});

function isWritten({ about, say }: FixedAnswer): boolean {
  return about !== '' || say !== '';
}
