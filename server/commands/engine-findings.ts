import type { Db } from '#server/database/open';
import { knownSeal } from '#server/database/secrets';
import { EnginesRepository } from '#server/features/engines/repository';
import { StoredEngines } from '#server/features/engines/stored-engines';
import { whyUnreachable, withoutPassword } from '#server/lib/unreachable';
import { timeLimit } from '#server/lib/wait';
import type { Config } from '#server/settings/config';
import { inEnvironment } from '#server/settings/in-environment';
import { type StoredSettings, withStored } from '#server/settings/stored-settings';
import { type EngineCapability, engineCapabilities } from '#shared/engine-settings';
import { type Finding, right, wrong } from './finding.ts';

const ANSWER_MS = 3_000;
const PAGE = 'Settings → Engines';

const called: Record<EngineCapability, string> = {
  language: 'language',
  ears: 'ears',
  voice: 'voice',
  rooms: 'rooms',
  storage: 'recordings',
};

/** What owners saved of the engines. Reads only. */
export async function savedEngines(db: Db): Promise<StoredSettings> {
  const seal = await knownSeal(db);
  return seal ? (await new StoredEngines(new EnginesRepository(db), seal).read()).settings : {};
}

/**
 * Says of each engine what the server uses, who named it, and whether its server can be reached. No key is sent, and nothing
 * is asked that costs.
 * @returns the settings with what owners saved, as the server reads them
 */
export async function* engineFindings(saved: StoredSettings): AsyncGenerator<Finding, Config> {
  const { config, problems } = withStored(saved);
  for (const capability of engineCapabilities) {
    const problem = problems[capability];
    if (problem !== undefined)
      yield wrong(`What is saved in ${PAGE} for ${called[capability]} is not used. ${problem}`);
  }
  const outside = namedServers(config);
  for (const server of outside) yield await look(server, saved);
  const embedded = engineCapabilities.filter(
    (each) => !outside.some(({ capability }) => capability === each),
  );
  if (embedded.length > 0) yield right(`Embedded: ${embedded.map((each) => called[each]).join(', ')}.`);
  return config;
}

/** A server that does the work of an engine. */
interface NamedServer {
  capability: EngineCapability;
  /** What it is asked for there. */
  what: string;
  /** null: Amazon's own, which has one for each region. */
  address: string | null;
  /** The settings that name it. */
  names: readonly string[];
}

function namedServers({
  languageModels,
  speechRecognition,
  speechSynthesis,
  rooms,
  mediaBucket,
}: Config): NamedServer[] {
  // One of this machine is no server that is to be reached: the page says how it does.
  const elsewhere = languageModels.filter((one) => one.kind !== 'own');
  const servers: NamedServer[] = elsewhere.map(({ kind, baseUrl, model }) => ({
    capability: 'language',
    what: model,
    address: baseUrl ?? 'https://api.anthropic.com',
    names:
      kind === 'openai'
        ? ['LLM_BASE_URL', 'LLM_MODEL', 'LLM_API_KEY']
        : ['ANTHROPIC_MODEL', 'ANTHROPIC_API_KEY'],
  }));
  if (speechRecognition)
    servers.push({
      capability: 'ears',
      what: speechRecognition.model,
      address: speechRecognition.baseUrl,
      names: ['STT_BASE_URL', 'STT_MODEL', 'STT_API_KEY'],
    });
  if (speechSynthesis)
    servers.push({
      capability: 'voice',
      what: `${speechSynthesis.model}, ${speechSynthesis.voice}`,
      address: speechSynthesis.baseUrl,
      names: ['TTS_BASE_URL', 'TTS_MODEL', 'TTS_VOICE', 'TTS_API_KEY'],
    });
  if (rooms.livekit)
    servers.push({
      capability: 'rooms',
      what: 'LiveKit',
      address: rooms.livekit.url,
      names: ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
    });
  if (mediaBucket)
    servers.push({
      capability: 'storage',
      what: `the bucket ${mediaBucket.bucket}`,
      address: mediaBucket.endpoint,
      names: ['S3_BUCKET', 'S3_REGION', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    });
  return servers;
}

async function look(
  { capability, what, address, names }: NamedServer,
  saved: StoredSettings,
): Promise<Finding> {
  const of = `For ${called[capability]}: ${what}`;
  const by = whoNamed(names, saved[capability] ?? {});
  if (address === null) return right(`${of}, by ${by}.`);
  const at = `${of} at ${withoutPassword(address)}, by ${by}`;
  const problem = await whySilent(address);
  return problem === null
    ? right(`${at}. Its server answers.`)
    : wrong(`${at}, cannot be used: ${problem}. Start that server, or change its address.`);
}

function whoNamed(names: readonly string[], saved: Readonly<Record<string, string>>): string {
  const fixed = names.filter((name) => inEnvironment(name) !== null);
  if (fixed.some((name) => saved[name] !== undefined && saved[name] !== inEnvironment(name)))
    return `the environment (${fixed.join(', ')}), which wins over ${PAGE}`;
  const own = names.filter((name) => !fixed.includes(name) && saved[name] !== undefined);
  const parts = [...(fixed.length > 0 ? ['the environment'] : []), ...(own.length > 0 ? [PAGE] : [])];
  return parts.join(' and ');
}

/** Why a server does not answer at all; null: it does, whatever it says. */
async function whySilent(address: string): Promise<string | null> {
  const { origin } = new URL(address.replace(/^ws/, 'http'));
  try {
    await fetch(origin, { method: 'HEAD', redirect: 'manual', signal: timeLimit(ANSWER_MS) });
    return null;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    return (
      whyUnreachable(cause) ??
      (cause instanceof Error && cause.message ? cause.message : 'it does not answer')
    );
  }
}
