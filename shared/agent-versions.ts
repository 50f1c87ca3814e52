import { z } from 'zod';
import { agentSchema } from './agents.ts';
import { conversationListQuerySchema } from './conversations.ts';
import { sentenceOf } from './refusals/refusal.ts';

/** The fields of a version of an agent: its own, and the names of its attachments. */
const versionFields = [
  'name',
  'companyName',
  'personality',
  'companyInfo',
  'prompts',
  'greeting',
  'goodbye',
  'answers',
  'neverSay',
  'handOverWhen',
  'language',
  'masks',
  'documents',
  'actions',
] as const;
const versionFieldSchema = z.enum(versionFields);
export type VersionField = z.infer<typeof versionFieldSchema>;

/** A document or an action of an agent. */
const attachedSchema = z.object({
  _id: z.string(),
  /** The version that gave it its current text; missing if it came with it. */
  textSince: z.number().int().optional(),
});
export type AttachedToAgent = z.infer<typeof attachedSchema>;

const versionContentSchema = agentSchema
  .omit({ _id: true, version: true, createdAt: true, updatedAt: true })
  .extend({
    /** Its documents and actions then, by name only: restoring a version leaves both unchanged. */
    documents: z.array(attachedSchema.extend({ title: z.string() })),
    actions: z.array(attachedSchema.extend({ name: z.string() })),
  });
export type VersionContent = z.infer<typeof versionContentSchema>;

/** One of GET /api/agents/{id}/versions. */
export const agentVersionSchema = z.object({
  /** Counts from 1. */
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  /** The author. */
  by: z.object({ _id: z.string(), name: z.string() }),
  /** The fields that differ from the version before; empty on the first. */
  changed: z.array(versionFieldSchema),
  /** The version that was restored. */
  restoredFrom: z.number().int().optional(),
});
export type AgentVersion = z.infer<typeof agentVersionSchema>;

/** Answer of GET /api/agents/{id}/versions/{version}. */
export const wholeVersionSchema = agentVersionSchema.extend({ content: versionContentSchema });
export type WholeVersion = z.infer<typeof wholeVersionSchema>;

export const versionListQuerySchema = conversationListQuerySchema.pick({ limit: true }).extend({
  /** The page begins before this version. */
  cursor: z.coerce.number(sentenceOf('common.cursor')).int().optional(),
});
export type VersionListQuery = z.infer<typeof versionListQuerySchema>;

/** The fields in which two contents differ. */
export const changedFields = (one: VersionContent, other: VersionContent): VersionField[] =>
  versionFields.filter((field) => inOrder(one[field]) !== inOrder(other[field]));

/** As JSON with sorted keys, whatever order the database gives them. */
const inOrder = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
