import { z } from 'zod';
import { refusal, sentenceOf } from './refusals/refusal.ts';
import { engineStatusSchema } from './status.ts';

/** Capabilities for which an owner may choose another engine than the embedded one. */
export const engineCapabilities = ['language', 'ears', 'voice', 'rooms', 'storage'] as const;
export const engineCapabilitySchema = z.enum(engineCapabilities, sentenceOf('engines.unknown'));
export type EngineCapability = z.infer<typeof engineCapabilitySchema>;

/**
 * How strictly a language model's words are checked: by our own reader only, doubtful sentences by the model itself, or
 * every sentence that states something.
 */
export const checkings = ['strict', 'doubtful', 'every'] as const;
export type Checking = (typeof checkings)[number];

/** A setting of an engine, named as in the environment. */
const engineFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  /** A number limits an engine; it does not choose one. */
  kind: z.enum(['address', 'text', 'key', 'number', 'choice']),
  /** The options of a choice, the default first. */
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  /** Never a key, nor an address with a password. */
  value: z.string().nullable(),
  isSet: z.boolean(),
  /** Set in the server's environment, which wins: it cannot be changed here. */
  isFixed: z.boolean(),
  /** An example value. */
  example: z.string(),
});
export type EngineField = z.infer<typeof engineFieldSchema>;

export const engineInUseSchema = z.object({
  capability: engineCapabilitySchema,
  /** The engine's own name. */
  name: z.string(),
  /** The source of the settings that name it; `usual`: none, it is the embedded one. */
  by: z.enum(['environment', 'settings', 'usual']),
  /** The last author of saved settings; missing if none are saved, with `name` null if the author is gone. */
  saved: z.object({ name: z.string().nullable(), at: z.string() }).optional(),
  /** The saved settings apply at the next start of the server. */
  waitsForStart: z.boolean(),
  status: engineStatusSchema,
  /** Median time of recent first results, in milliseconds, and their number; missing without one. */
  quick: z.object({ ms: z.number(), of: z.number() }).optional(),
  /** Why the saved settings are not used. */
  problem: z.string().optional(),
  fields: z.array(engineFieldSchema),
});
export type EngineInUse = z.infer<typeof engineInUseSchema>;

/** A language server found at its usual address on the server's own machine. */
const foundServerSchema = z.object({
  label: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type FoundServer = z.infer<typeof foundServerSchema>;

/** A language model that can run on the server's own machine. */
const ownModelSchema = z.object({
  /** Its value in the setting LLM_OWN_MODEL. */
  id: z.string(),
  name: z.string(),
  /** For a listed model: how it compares with the others, and its licence. */
  about: z.string().optional(),
  license: z.string().optional(),
  /** Size of its file. */
  bytes: z.number(),
  /** Bytes of memory in use while it runs. */
  memory: z.number(),
  /** Its file is completely downloaded. */
  isHere: z.boolean(),
  /** Estimates for this machine's processor: milliseconds until the first sentence, and the writing speed. */
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

/** Answer of GET: every engine, the language servers found, and the models that this machine can run. */
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

/** Settings by name; null removes one, and a missing one keeps its value. */
const engineValuesSchema = z
  .record(z.string().max(60), valueSchema)
  .refine(
    (values) => Object.keys(values).length <= MAX_NAMES,
    sentenceOf(refusal('engines.too-many-settings', { max: MAX_NAMES })),
  );
export type EngineValues = z.infer<typeof engineValuesSchema>;

/** Body of PUT /api/settings/engines/{capability}. */
export const engineChangeSchema = z.object({ values: engineValuesSchema });

/** Body of POST /api/settings/engines/{capability}/try; without `values` the engine in use is tried. */
export const engineTrySchema = z.object({ values: engineValuesSchema.optional() });

/** The result of trying one engine with a real request. */
const engineTrialSchema = z.object({
  /** The engine's own name. */
  name: z.string(),
  /** One sentence: why it failed, in the provider's own words if it gave any. */
  problem: z.string().optional(),
  /** The question or the text to say. */
  asked: z.string().optional(),
  /** The answer, or the recognised text. */
  text: z.string().optional(),
  /** The speech, as base64. */
  sound: z.object({ data: z.string(), mediaType: z.string() }).optional(),
  /** Milliseconds until the first words or sound. */
  firstMs: z.number().optional(),
  /** Total milliseconds. */
  ms: z.number(),
  tokens: z.object({ input: z.number().nullable(), output: z.number().nullable() }).optional(),
});
export type EngineTrial = z.infer<typeof engineTrialSchema>;

/** Answer of POST …/try: the trials in the order in which they ran; only language has several. */
export const engineTrialsSchema = z.object({ trials: z.array(engineTrialSchema) });
