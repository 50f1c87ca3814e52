import { z } from 'zod';
import { atMost } from './characters.ts';
import { type KeyWithMax, refusal, sentenceOf } from './refusals/refusal.ts';
import { storable } from './storable.ts';

const MAX_SAID_CHARACTERS = 1_000;
export const MAX_ABOUT_CHARACTERS = 500;
export const MAX_AVOIDED_CHARACTERS = 100;
/** Answers, words that are never said, and matters that are handed over: of each at most. */
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
  /** What customers ask about: a few words, or the question as they ask it. Several are on lines of their own. */
  about: text(MAX_ABOUT_CHARACTERS, 'agents.answer-about-too-long'),
  say: text(MAX_SAID_CHARACTERS, 'common.answer-too-long'),
});
export type FixedAnswer = z.infer<typeof fixedAnswerSchema>;

/** What a business decided that its agent says, does not say, and leaves to a colleague. */
export const sayingsSchema = z.object({
  /** The first words of a conversation; blank: the agent's own. */
  greeting: text(MAX_SAID_CHARACTERS, 'agents.greeting-too-long'),
  /** What it says to a customer who says goodbye; blank: its own words. */
  goodbye: text(MAX_SAID_CHARACTERS, 'agents.goodbye-too-long'),
  /** Said word for word to somebody who asks about it. */
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
  /** Words that stand in no sentence of the agent. */
  neverSay: listOf(text(MAX_AVOIDED_CHARACTERS, 'agents.never-say-too-long'), 'agents.never-say-too-many'),
  /** What a colleague takes over. */
  handOverWhen: listOf(text(MAX_ABOUT_CHARACTERS, 'agents.hand-over-too-long'), 'agents.hand-over-too-many'),
});
export type Sayings = z.infer<typeof sayingsSchema>;

/**
 * Those that somebody decided. One that is left out is read in the agent's prompts, as it was before there were fields for it;
 * a blank one is decided, too.
 */
export const decidedSayingsSchema = sayingsSchema.partial();
export type DecidedSayings = z.infer<typeof decidedSayingsSchema>;

/** The same as the server answers it. */
export const shownSayingsSchema = z
  .object({
    greeting: z.string(),
    goodbye: z.string(),
    answers: z.array(z.object({ about: z.string(), say: z.string() })),
    neverSay: z.array(z.string()),
    handOverWhen: z.array(z.string()),
  })
  .partial();

/** What is decided, of something that says more than that. */
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
