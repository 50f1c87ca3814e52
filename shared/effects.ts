import { z } from 'zod';
import { companyInfoSchema, promptsSchema } from './agents.ts';
import { outcomeSchema } from './conversations.ts';
import { triedDocumentSchema } from './documents.ts';
import { refusal, sentenceOf } from './refusals/refusal.ts';
import { decidedSayingsSchema } from './sayings.ts';

/** The most past questions asked. */
export const MAX_ASKED = 200;
/** Time limit for asking them, in milliseconds: `asked` omits unfinished ones. */
export const ASKED_WITHIN_MS = 18_000;

const MAX_ADDED = 10;
const MAX_REMOVED = 5_000;

/** Body of POST /api/agents/{id}/effects: the change. Missing fields keep their values. */
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
  /** Number of newest questions answered both ways. */
  asked: z.number().int(),
  /** Number of those with other words or another outcome. */
  changed: z.number().int(),
  /** The changed ones, newest first. */
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
