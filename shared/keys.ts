import { z } from 'zod';
import { refusal, sentenceOf } from './refusals/refusal.ts';

/** What a key of a workspace may be used for. */
const keyScopes = [
  'agents:read',
  'agents:write',
  'documents:read',
  'documents:write',
  'conversations:read',
  'conversations:write',
  'contacts:read',
  'contacts:write',
  'insights:read',
  'desk',
  'webhooks',
] as const;
const keyScopeSchema = z.enum(keyScopes, sentenceOf('keys.scope'));
export type KeyScope = z.infer<typeof keyScopeSchema>;

const MAX_NAME_CHARACTERS = 80;

/** Body of POST /api/keys. */
export const keyRequestSchema = z.object({
  name: z
    .string(sentenceOf('keys.name-missing'))
    .trim()
    .min(1, sentenceOf('keys.name-missing'))
    .max(MAX_NAME_CHARACTERS, sentenceOf(refusal('keys.name-too-long', { max: MAX_NAME_CHARACTERS }))),
  scopes: z.array(keyScopeSchema, sentenceOf('keys.scope-missing')).min(1, sentenceOf('keys.scope-missing')),
  expiresAt: z.iso.datetime(sentenceOf('keys.expiry-invalid')).optional(),
});
export type KeyRequest = z.infer<typeof keyRequestSchema>;

/** A key as owners see it. */
export const apiKeySchema = z.object({
  _id: z.string(),
  name: z.string(),
  scopes: z.array(keyScopeSchema),
  /** The beginning of the key, to recognise it by. */
  prefix: z.string(),
  createdAt: z.string(),
  /** To the minute; missing for a key that was never used. */
  lastUsedAt: z.string().optional(),
  expiresAt: z.string().optional(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** The key itself is shown only once: only its hash is stored. */
export const newApiKeySchema = apiKeySchema.extend({ key: z.string() });
export type NewApiKey = z.infer<typeof newApiKeySchema>;
