import { z } from 'zod';
import { atMost } from './characters.ts';
import { citationSchema, MAX_MESSAGE_CHARACTERS, outcomeSchema } from './conversations.ts';
import { type KeyWithMax, type PlainKey, refusal, sentenceOf } from './refusals/refusal.ts';
import { decidedSayingsSchema, shownSayingsSchema } from './sayings.ts';
import { storable } from './storable.ts';

/** What the page shows when it knows no company yet. */
export const DEFAULT_AGENT_LABEL = 'Customer Support';

/** The demo agent as `conversation_started` and `ai_response` name it. */
const demoAgentSchema = z.object({ name: z.string(), company: z.string() });
export type DemoAgent = z.infer<typeof demoAgentSchema>;

export const MAX_AGENT_NAME_CHARACTERS = 50;
export const MAX_COMPANY_NAME_CHARACTERS = 100;
export const MAX_PERSONALITY_CHARACTERS = 2_000;
export const MAX_COMPANY_INFO_CHARACTERS = 200_000;
export const MAX_PROMPT_CHARACTERS = 4_000;
export const MAX_PROMPTS = 50;

/** How many agents one user may have: far more than a business needs, few enough to be listed whole. */
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

/** What an agent speaks that nobody gave a language. */
export const DEFAULT_LANGUAGE = 'en';

/** The canonical spelling of a BCP 47 tag ("de-AT"); null for what is none. */
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

/** What may be left out of everything that customers say, before it is kept or answered. */
export const maskSchema = z.enum(['payment', 'national-id', 'email', 'phone']);
export type Mask = z.infer<typeof maskSchema>;

/** What is left out where nobody says otherwise: nobody is served by it. */
export const DEFAULT_MASKS: readonly Mask[] = ['payment', 'national-id'];

/** Blank ones are dropped. */
export const promptsSchema = z
  .array(promptSchema)
  .refine(
    (prompts) => prompts.filter(Boolean).length <= MAX_PROMPTS,
    sentenceOf(refusal('agents.prompts-too-many', { max: MAX_PROMPTS })),
  )
  .transform((prompts) => prompts.filter(Boolean));

/** What somebody writes to make an agent, or to change one. */
export const agentDraftSchema = z.object({
  name: agentNameSchema,
  companyName: companyNameSchema,
  personality: personalitySchema,
  companyInfo: companyInfoSchema,
  prompts: promptsSchema.default([]),
  /** What its customers speak. Without it a new agent speaks English, and a changed one what it spoke. */
  language: languageSchema.optional(),
  /** What is left out of what customers say. Without it DEFAULT_MASKS, and a changed agent keeps its own. */
  masks: z
    .array(maskSchema, sentenceOf('agents.masks'))
    .transform((masks) => maskSchema.options.filter((mask) => masks.includes(mask)))
    .optional(),
  /** What it says word for word, and never. What is left out of a change stays as it was. */
  ...decidedSayingsSchema.shape,
});
export type AgentDraft = z.infer<typeof agentDraftSchema>;

/** Body of PUT /api/agents/{id}. */
export const agentChangeSchema = agentDraftSchema.extend({
  /** The `updatedAt` the change started from: the answer then tells when it replaced somebody's later save. */
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
  /** Each of them is there once it was decided. */
  ...shownSayingsSchema.shape,
  /** Counts its saved states, from 1. */
  version: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Agent = z.infer<typeof agentSchema>;

/** Answer of PUT /api/agents/{id}. */
export const changedAgentSchema = agentSchema.extend({
  /** What somebody had saved since `updatedAt`, and what this save took the place of. */
  replaced: agentSchema.optional(),
});
export type ChangedAgent = z.infer<typeof changedAgentSchema>;

/** Answer of DELETE /api/agents/{id}. */
export const agentDeletedSchema = z.object({ message: z.string() });

/** What the pages of an agent's call and history are handed in navigation state, as `{ agent }`. */
export const agentInStateSchema = agentSchema.pick({
  _id: true,
  name: true,
  companyName: true,
  personality: true,
  companyInfo: true,
  prompts: true,
});
export type AgentInState = z.infer<typeof agentInStateSchema>;

/** How much of a talk the try-out is told: what a call tells its agent, too. */
export const MAX_TRY_HISTORY = 40;

/** Body of POST /api/agents/try: an agent that need not be saved, and the talk with it so far. */
export const agentTrySchema = z.object({
  agent: agentDraftSchema,
  /** The saved agent whose documents it reads, too. */
  agentId: z.string().optional(),
  /** What was said before, oldest first. */
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
  /** What the customer says now. Without it the agent says its welcome. */
  message: z
    .string()
    .refine((text) => text.trim().length > 0, sentenceOf('conversations.message-missing'))
    .refine(
      (text) => text.length <= MAX_MESSAGE_CHARACTERS,
      sentenceOf(refusal('conversations.message-too-long', { max: MAX_MESSAGE_CHARACTERS })),
    )
    .optional(),
  /** `false` asks for text alone. */
  voice: z.boolean().optional(),
});
export type AgentTry = z.infer<typeof agentTrySchema>;

/** Body of POST /api/agents/sayings. */
export const promptsToReadSchema = z.object({
  prompts: promptsSchema,
  /** What the agent's customers speak. */
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
 * `contradiction`: two statements say something else of the same thing, `text` their figures, if it is those that differ.
 * `no-number`: a rule promises a time, a price or a limit without saying which, `text` the words that do. `unanswered`:
 * `text` is what customers usually ask, and nothing answers it.
 */
const writingHintSchema = z.object({
  kind: z.enum(['contradiction', 'no-number', 'unanswered']),
  text: z.string(),
  /** What stands there, each with the heading above it. */
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
