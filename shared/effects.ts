import { z } from 'zod';
import { companyInfoSchema, promptsSchema } from './agents.ts';
import { outcomeSchema } from './conversations.ts';
import { triedDocumentSchema } from './documents.ts';
import { refusal, sentenceOf } from './refusals/refusal.ts';
import { decidedSayingsSchema } from './sayings.ts';

/** How many of the last questions are asked at most. */
export const MAX_ASKED = 200;
/** How long they may be asked, in milliseconds: what is not done by then is left out of `asked`. */
export const ASKED_WITHIN_MS = 18_000;

const MAX_ADDED = 10;
const MAX_REMOVED = 5_000;

/** Body of POST /api/agents/{id}/effects: what would be changed. What is left out stays as it is. */
export const effectRequestSchema = z.object({
  companyInfo: companyInfoSchema.optional(),
  prompts: promptsSchema.optional(),
  ...decidedSayingsSchema.shape,
  documents: z
    .object({
      add: z
        .array(triedDocumentSchema)
        .max(MAX_ADDED, sentenceOf(refusal('agents.effects-add', { max: MAX_ADDED })))
        .optional(),
      /** Ids of documents of other agents that this one would read, too. */
      share: z
        .array(z.string())
        .max(MAX_ADDED, sentenceOf(refusal('agents.effects-share', { max: MAX_ADDED })))
        .optional(),
      /** Ids of documents that the agent would no longer read. */
      remove: z
        .array(z.string())
        .max(MAX_REMOVED, sentenceOf(refusal('agents.effects-remove', { max: MAX_REMOVED })))
        .optional(),
    })
    .optional(),
});
export type EffectRequest = z.infer<typeof effectRequestSchema>;

/** Answer of POST /api/agents/{id}/effects. */
export const effectSchema = z.object({
  /** Questions that were answered both ways, the newest ones. */
  asked: z.number().int(),
  /** How many of them would be answered in other words, or come to something else. */
  changed: z.number().int(),
  /** Those, newest first. */
  answers: z.array(
    z.object({
      question: z.string(),
      conversationId: z.string(),
      before: z.string(),
      after: z.string(),
      outcomeBefore: outcomeSchema,
      outcomeAfter: outcomeSchema,
    }),
  ),
});
export type Effect = z.infer<typeof effectSchema>;
