import { z } from 'zod';

/** Stable machine-readable names of all refusals; clients branch on these, never on sentences. */
const errorCodes = [
  'invalid-input',
  'invalid-json',
  'unauthenticated',
  'invalid-credentials',
  'second-factor-needed',
  'second-factor-missing',
  'choice-needed',
  'forbidden',
  'not-found',
  'email-taken',
  'idempotency-conflict',
  'conflict',
  'conversation-ended',
  'lobby',
  'payload-too-large',
  'unsupported-media-type',
  'malicious',
  'rate-limited',
  'unavailable',
  'internal',
] as const;

const errorCodeSchema = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

/**
 * Body of every refused HTTP request. `message` and `error` hold the same sentence, since clients read either. `key`
 * names that sentence, as `fieldKeys` does those of `fields`.
 */
export const errorBodySchema = z.object({
  message: z.string(),
  error: z.string(),
  code: errorCodeSchema,
  key: z.string().optional().meta({
    description:
      'Stable name of the sentence, such as conversations.ended: a client that shows another language translates by it.',
  }),
  values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .meta({ description: 'What the sentence is filled with, by name.' }),
  fields: z.record(z.string(), z.string()).optional(),
  fieldKeys: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'The keys of the sentences in `fields`, by the same names.' }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
