import type { Checking, EngineCapability, EngineField } from '#shared/engine-settings';
import { type Settings, settingFacts, settings } from './settings.ts';

/** An engine setting that owners may also change. */
interface EngineFieldRow {
  name: keyof Settings;
  label: string;
  kind: EngineField['kind'];
  /** The setting with the address that a key is sent to: a key goes only where it was given for. */
  goesTo?: keyof Settings;
  /** Options of a choice, the default first. */
  options?: readonly { value: string; label: string }[];
}

const checkingOptions: readonly { value: Checking; label: string }[] = [
  { value: 'doubtful', label: 'Doubtful sentences are put to the model itself' },
  { value: 'strict', label: 'Strict, for small models: Sigma’s own reader decides' },
  { value: 'every', label: 'Every sentence is put to the model itself' },
];

/** A small model gains nothing from being asked twice. */
const ownCheckingOptions = ['strict', 'doubtful', 'every'].flatMap((value) =>
  checkingOptions.filter((option) => option.value === value),
);

/** Settings of each engine that owners may change, in the order of the form. */
export const engineFields: Readonly<Record<EngineCapability, readonly EngineFieldRow[]>> = {
  language: [
    { name: 'LLM_OWN_MODEL', label: 'Model on this machine', kind: 'text' },
    { name: 'LLM_OWN_SHA256', label: 'SHA-256 of its file', kind: 'text' },
    { name: 'LLM_OWN_SOURCE', label: 'Where models are fetched instead', kind: 'address' },
    {
      name: 'LLM_OWN_CHECKING',
      label: 'How closely the one on this machine is checked',
      kind: 'choice',
      options: ownCheckingOptions,
    },
    { name: 'LLM_BASE_URL', label: 'Address', kind: 'address' },
    { name: 'LLM_MODEL', label: 'Model', kind: 'text' },
    { name: 'LLM_API_KEY', label: 'Key', kind: 'key', goesTo: 'LLM_BASE_URL' },
    { name: 'LLM_CHECKING', label: 'How closely it is checked', kind: 'choice', options: checkingOptions },
    { name: 'ANTHROPIC_MODEL', label: 'Anthropic’s model', kind: 'text' },
    { name: 'ANTHROPIC_API_KEY', label: 'Anthropic’s key', kind: 'key' },
    {
      name: 'ANTHROPIC_CHECKING',
      label: 'How closely Anthropic’s is checked',
      kind: 'choice',
      options: checkingOptions,
    },
    { name: 'LLM_INPUT_PRICE', label: 'US dollars for a million tokens it reads', kind: 'number' },
    { name: 'LLM_OUTPUT_PRICE', label: 'US dollars for a million tokens it writes', kind: 'number' },
    {
      name: 'ANTHROPIC_INPUT_PRICE',
      label: 'US dollars for a million tokens Anthropic’s reads',
      kind: 'number',
    },
    {
      name: 'ANTHROPIC_OUTPUT_PRICE',
      label: 'US dollars for a million tokens Anthropic’s writes',
      kind: 'number',
    },
    { name: 'LLM_TOKENS_PER_DAY', label: 'Tokens at most in a day', kind: 'number' },
  ],
  ears: [
    { name: 'STT_BASE_URL', label: 'Address', kind: 'address' },
    { name: 'STT_MODEL', label: 'Model', kind: 'text' },
    { name: 'STT_API_KEY', label: 'Key', kind: 'key', goesTo: 'STT_BASE_URL' },
  ],
  voice: [
    { name: 'TTS_BASE_URL', label: 'Address', kind: 'address' },
    { name: 'TTS_MODEL', label: 'Model', kind: 'text' },
    { name: 'TTS_VOICE', label: 'Voice', kind: 'text' },
    { name: 'TTS_API_KEY', label: 'Key', kind: 'key', goesTo: 'TTS_BASE_URL' },
  ],
  rooms: [
    { name: 'LIVEKIT_URL', label: 'Address of a LiveKit server', kind: 'address' },
    { name: 'LIVEKIT_API_KEY', label: 'Key', kind: 'key', goesTo: 'LIVEKIT_URL' },
    { name: 'LIVEKIT_API_SECRET', label: 'Secret', kind: 'key', goesTo: 'LIVEKIT_URL' },
  ],
  storage: [
    { name: 'S3_BUCKET', label: 'Bucket', kind: 'text' },
    { name: 'S3_REGION', label: 'Region', kind: 'text' },
    { name: 'S3_ENDPOINT', label: 'Address, where it is not Amazon’s', kind: 'address' },
    { name: 'S3_ACCESS_KEY_ID', label: 'Access key', kind: 'key', goesTo: 'S3_ENDPOINT' },
    { name: 'S3_SECRET_ACCESS_KEY', label: 'Secret key', kind: 'key', goesTo: 'S3_ENDPOINT' },
  ],
};

/** An example of a setting, or its default. */
export function exampleOf(name: keyof Settings): string {
  const { usually, example } = settingFacts.get(settings.shape[name]) ?? {};
  return usually ?? example ?? '';
}
