import { z } from 'zod';
import { refusal, sentenceOf } from './refusals/refusal.ts';
import { engineStatusSchema } from './status.ts';

/** What an owner may have done by another engine than the embedded one. */
export const engineCapabilities = ['language', 'ears', 'voice', 'rooms', 'storage'] as const;
export const engineCapabilitySchema = z.enum(engineCapabilities, sentenceOf('engines.unknown'));
export type EngineCapability = z.infer<typeof engineCapabilitySchema>;

/**
 * How closely what a language model says is checked: by our own reader alone, doubtful sentences by the model itself, or every
 * sentence that states something.
 */
export const checkings = ['strict', 'doubtful', 'every'] as const;
export type Checking = (typeof checkings)[number];

/** A setting of an engine, by its name in the environment. */
const engineFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  /** A number says what an engine may take, not which one it is. */
  kind: z.enum(['address', 'text', 'key', 'number', 'choice']),
  /** Of a choice: what it may be, the usual one first. */
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  /** Never of a key, nor of an address that holds a password. */
  value: z.string().nullable(),
  isSet: z.boolean(),
  /** Set in the environment of the server, which wins: it cannot be changed here. */
  isFixed: z.boolean(),
  /** What one may look like. */
  example: z.string(),
});
export type EngineField = z.infer<typeof engineFieldSchema>;

export const engineInUseSchema = z.object({
  capability: engineCapabilitySchema,
  /** As the engine calls itself. */
  name: z.string(),
  /** Whose settings name it; `usual`: nobody's, it is the embedded one. */
  by: z.enum(['environment', 'settings', 'usual']),
  /** Who saved settings last; missing where nothing is saved, `name` null where they are gone. */
  saved: z.object({ name: z.string().nullable(), at: z.string() }).optional(),
  /** What is saved is not in use yet: it is taken at the next start of the server. */
  waitsForStart: z.boolean(),
  status: engineStatusSchema,
  /** Median of the first results lately, in milliseconds, and of how many; missing before there was one. */
  quick: z.object({ ms: z.number(), of: z.number() }).optional(),
  /** Why what is saved is not used. */
  problem: z.string().optional(),
  fields: z.array(engineFieldSchema),
});
export type EngineInUse = z.infer<typeof engineInUseSchema>;

/** A language server that answers at its usual address on the server's own machine. */
const foundServerSchema = z.object({
  label: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type FoundServer = z.infer<typeof foundServerSchema>;

/** A language model that may run on the server's own machine. */
const ownModelSchema = z.object({
  /** What the setting LLM_OWN_MODEL is for it. */
  id: z.string(),
  name: z.string(),
  /** Of one of the list: what it is beside the others, and its licence. */
  about: z.string().optional(),
  license: z.string().optional(),
  /** Of its file. */
  bytes: z.number(),
  /** Bytes of memory that it takes while it runs. */
  memory: z.number(),
  /** Its file lies there whole. */
  isHere: z.boolean(),
  /** On this machine's processor, estimated: until the first sentence, in milliseconds, and how quickly it writes. */
  expected: z.object({ firstSentenceMs: z.number(), tokensPerSecond: z.number() }).optional(),
});
export type OwnModelOffer = z.infer<typeof ownModelSchema>;

const ownModelsSchema = z.object({
  /** Of the server's machine: cores, and bytes of memory. */
  cores: z.number(),
  memory: z.number(),
  /** llama.cpp is built for its platform. */
  canRun: z.boolean(),
  models: z.array(ownModelSchema),
});
export type OwnModels = z.infer<typeof ownModelsSchema>;

/** Answer of GET: every engine, language servers that were found, and models that this machine may run. */
export const engineSettingsSchema = z.object({
  engines: z.array(engineInUseSchema),
  found: z.array(foundServerSchema),
  own: ownModelsSchema,
});
export type EngineSettings = z.infer<typeof engineSettingsSchema>;

const MAX_CHARACTERS = 2_000;
const MAX_NAMES = 20;
const valueSchema = z
  .string()
  .trim()
  .max(MAX_CHARACTERS, sentenceOf(refusal('engines.value-too-long', { max: MAX_CHARACTERS })))
  .regex(/^\P{Cc}*$/u, sentenceOf('engines.value-one-line'))
  .nullable();

/** Settings by their names; null removes one, and one that is not named stays as it is. */
const engineValuesSchema = z
  .record(z.string().max(60), valueSchema)
  .refine(
    (values) => Object.keys(values).length <= MAX_NAMES,
    sentenceOf(refusal('engines.too-many-settings', { max: MAX_NAMES })),
  );
export type EngineValues = z.infer<typeof engineValuesSchema>;

/** Body of PUT /api/settings/engines/{capability}. */
export const engineChangeSchema = z.object({ values: engineValuesSchema });

/** Body of POST /api/settings/engines/{capability}/try; without `values` what is in use is tried. */
export const engineTrySchema = z.object({ values: engineValuesSchema.optional() });

/** What came of asking one engine for something real. */
const engineTrialSchema = z.object({
  /** As the engine calls itself. */
  name: z.string(),
  /** One sentence: why it did not work, in the provider's own words where it has some. */
  problem: z.string().optional(),
  /** What it was given to answer, or to say. */
  asked: z.string().optional(),
  /** What it answered, or understood. */
  text: z.string().optional(),
  /** What it said, as base64. */
  sound: z.object({ data: z.string(), mediaType: z.string() }).optional(),
  /** Until the first words or sound, in milliseconds. */
  firstMs: z.number().optional(),
  /** In all, in milliseconds. */
  ms: z.number(),
  tokens: z.object({ input: z.number().nullable(), output: z.number().nullable() }).optional(),
});
export type EngineTrial = z.infer<typeof engineTrialSchema>;

/** Answer of POST …/try: one after the other in the order in which they are asked; all but language have one. */
export const engineTrialsSchema = z.object({ trials: z.array(engineTrialSchema) });
