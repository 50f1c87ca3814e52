import { z } from 'zod';
import { atMost } from './characters.ts';
import { citationSchema, MAX_MESSAGE_CHARACTERS, outcomeSchema } from './conversations.ts';
import { type KeyWithMax, type PlainKey, refusal, sentenceOf } from './refusals/refusal.ts';
import { decidedSayingsSchema, shownSayingsSchema } from './sayings.ts';
import { storable } from './storable.ts';

/** Shown while the page knows no company yet. */
export const DEFAULT_AGENT_LABEL = 'Customer Support';

/** The demo agent as named in `conversation_started` and `ai_response`. */
const demoAgentSchema = z.object({ name: z.string(), company: z.string() });
export type DemoAgent = z.infer<typeof demoAgentSchema>;

export const MAX_AGENT_NAME_CHARACTERS = 50;
export const MAX_COMPANY_NAME_CHARACTERS = 100;
export const MAX_PERSONALITY_CHARACTERS = 2_000;
export const MAX_COMPANY_INFO_CHARACTERS = 200_000;
export const MAX_PROMPT_CHARACTERS = 4_000;
export const MAX_PROMPTS = 50;

/** The most agents of one user: far more than a business needs, few enough to be listed whole. */
export const MAX_AGENTS_PER_USER = 50;

export const requiredText = (max: number, missing: PlainKey, tooLong: KeyWithMax) =>
  z
    .string()
    .overwrite(storable)
    .trim()
    .min(1, sentenceOf(missing))
    .refine((text) => atMost(text, max), sentenceOf(refusal(tooLong, { max })));

const agentNameSchema = requiredText(
  MAX_AGENT_NAME_CHARACTERS,
  'agents.name-missing',
  'common.name-too-long',
);
const companyNameSchema = requiredText(
  MAX_COMPANY_NAME_CHARACTERS,
  'agents.company-missing',
  'agents.company-too-long',
);
const personalitySchema = requiredText(
  MAX_PERSONALITY_CHARACTERS,
  'agents.personality-missing',
  'agents.personality-too-long',
);
export const companyInfoSchema = requiredText(
  MAX_COMPANY_INFO_CHARACTERS,
  'agents.company-info-missing',
  'agents.company-info-too-long',
);
export const promptSchema = z
  .string()
  .overwrite(storable)
  .trim()
  .refine(
    (text) => atMost(text, MAX_PROMPT_CHARACTERS),
    sentenceOf(refusal('agents.prompt-too-long', { max: MAX_PROMPT_CHARACTERS })),
  );

/** The language of an agent without a chosen one. */
export const DEFAULT_LANGUAGE = 'en';

/** The canonical spelling of a BCP 47 tag ("de-AT"); null for an invalid tag. */
function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

const languageSchema = z
  .string()
  .trim()
  .max(35)
  .overwrite((tag) => canonicalLanguage(tag) ?? tag)
  .refine((tag) => canonicalLanguage(tag) !== null, sentenceOf('agents.language'));

/** Kinds of data that can be masked in customers' words before they are stored or answered. */
export const maskSchema = z.enum(['payment', 'national-id', 'email', 'phone']);
export type Mask = z.infer<typeof maskSchema>;

/** Masked by default: no answer needs these. */
export const DEFAULT_MASKS: readonly Mask[] = ['payment', 'national-id'];

/** Blank ones are dropped. */
export const promptsSchema = z
  .array(promptSchema)
  .refine(
    (prompts) => prompts.filter(Boolean).length <= MAX_PROMPTS,
    sentenceOf(refusal('agents.prompts-too-many', { max: MAX_PROMPTS })),
  )
  .transform((prompts) => prompts.filter(Boolean));

/** The texts of a new or changed agent. */
export const agentDraftSchema = z.object({
  name: agentNameSchema,
  companyName: companyNameSchema,
  personality: personalitySchema,
  companyInfo: companyInfoSchema,
  prompts: promptsSchema.default([]),
  /** Its customers' language. Without it a new agent speaks English, and a changed one keeps its language. */
  language: languageSchema.optional(),
  /**
   * Kinds of data masked in customers' words. Without it, a new agent uses DEFAULT_MASKS, and a changed one keeps its
   * own.
   */
  masks: z
    .array(maskSchema, sentenceOf('agents.masks'))
    .transform((masks) => maskSchema.options.filter((mask) => masks.includes(mask)))
    .optional(),
  /** Fixed answers and forbidden words. Fields missing from a change keep their values. */
  ...decidedSayingsSchema.shape,
});
export type AgentDraft = z.infer<typeof agentDraftSchema>;

/** Body of PUT /api/agents/{id}. */
export const agentChangeSchema = agentDraftSchema.extend({
  /** The `updatedAt` that the change started from: the answer then reports a later save that it replaced. */
  updatedAt: z.iso.datetime(sentenceOf('agents.updated-at')).optional(),
});
export type AgentChange = z.infer<typeof agentChangeSchema>;

export const agentSchema = z.object({
  _id: z.string(),
  name: z.string(),
  companyName: z.string(),
  personality: z.string(),
  companyInfo: z.string(),
  prompts: z.array(z.string()),
  language: z.string(),
  masks: z.array(maskSchema),
  /** Each field is present once it was decided. */
  ...shownSayingsSchema.shape,
  /** The number of its saved states, from 1. */
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Agent = z.infer<typeof agentSchema>;

/** Answer of PUT /api/agents/{id}. */
export const changedAgentSchema = agentSchema.extend({
  /** The state saved since `updatedAt`, which this save replaced. */
  replaced: agentSchema.optional(),
});
export type ChangedAgent = z.infer<typeof changedAgentSchema>;

/** Answer of DELETE /api/agents/{id}. */
export const agentDeletedSchema = z.object({ message: z.string() });

/** The agent in the navigation state of its call and history pages, as `{ agent }`. */
export const agentInStateSchema = agentSchema.pick({
  _id: true,
  name: true,
  companyName: true,
  personality: true,
  companyInfo: true,
  prompts: true,
});
export type AgentInState = z.infer<typeof agentInStateSchema>;

/** Messages of a talk sent to the try-out: as many as a call sends to its agent. */
export const MAX_TRY_HISTORY = 40;

/** Body of POST /api/agents/try: an agent, saved or not, and the talk with it so far. */
export const agentTrySchema = z.object({
  agent: agentDraftSchema,
  /** The saved agent whose documents it reads, too. */
  agentId: z.string().optional(),
  /** Earlier messages, oldest first. */
  history: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant'], sentenceOf('agents.tried-role')),
        content: z
          .string()
          .refine(
            (text) => text.length <= 2 * MAX_MESSAGE_CHARACTERS,
            sentenceOf(refusal('agents.tried-messages-too-long', { max: 2 * MAX_MESSAGE_CHARACTERS })),
          ),
      }),
    )
    .max(MAX_TRY_HISTORY, sentenceOf(refusal('agents.tried-messages-too-many', { max: MAX_TRY_HISTORY })))
    .default([]),
  /** The customer's message. Without it the agent gives its welcome. */
  message: z
    .string()
    .refine((text) => text.trim().length > 0, sentenceOf('conversations.message-missing'))
    .refine(
      (text) => text.length <= MAX_MESSAGE_CHARACTERS,
      sentenceOf(refusal('conversations.message-too-long', { max: MAX_MESSAGE_CHARACTERS })),
    )
    .optional(),
  /** `false` requests text only. */
  voice: z.boolean().optional(),
});
export type AgentTry = z.infer<typeof agentTrySchema>;

/** Body of POST /api/agents/sayings. */
export const promptsToReadSchema = z.object({
  prompts: promptsSchema,
  /** The language of the agent's customers. */
  language: languageSchema.default(DEFAULT_LANGUAGE),
});
export type PromptsToRead = z.infer<typeof promptsToReadSchema>;

/** Body of POST /api/agents/writing-help. */
export const writingHelpRequestSchema = z.object({
  companyInfo: companyInfoSchema,
  /** The saved agent whose documents count, too. */
  agentId: z.string().optional(),
});
export type WritingHelpRequest = z.infer<typeof writingHelpRequestSchema>;

/**
 * `contradiction`: two statements differ about the same thing; `text` holds their figures if those differ. `no-number`:
 * a rule promises a time, a price or a limit without a figure; `text` holds its words. `unanswered`: `text` is a usual
 * customer question without an answer.
 */
const writingHintSchema = z.object({
  kind: z.enum(['contradiction', 'no-number', 'unanswered']),
  text: z.string(),
  /** The passages in question, each with its heading. */
  passages: z.array(z.string()),
});
export type WritingHint = z.infer<typeof writingHintSchema>;

/** Answer of POST /api/agents/writing-help. */
export const writingHintsSchema = z.object({ hints: z.array(writingHintSchema) });

/** Answer of POST /api/agents/try. */
export const triedReplySchema = z.object({
  message: z.string(),
  citations: z.array(citationSchema),
  /** Absent on the welcome. */
  outcome: outcomeSchema.optional(),
  /** Base64 audio and its media type; absent while there is no voice. */
  audioData: z.string().optional(),
  audioType: z.string().optional(),
});
export type TriedReply = z.infer<typeof triedReplySchema>;
