import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { EngineConfig } from '#server/engines/controls';
import type { Engines } from '#server/engines/index';
import type { AuditService } from '#server/features/audit/service';
import { conflict, inItsWords, invalidInput, rateLimited } from '#server/lib/errors';
import { type Config, readConfig } from '#server/settings/config';
import { engineFields, exampleOf } from '#server/settings/engine-fields';
import { ConfigError, inEnvironment } from '#server/settings/in-environment';
import { type SettingValues, withStored } from '#server/settings/stored-settings';
import type { User } from '#shared/accounts';
import {
  type EngineCapability,
  type EngineField,
  type EngineInUse,
  type EngineSettings,
  type EngineTrial,
  type EngineValues,
  engineCapabilities,
} from '#shared/engine-settings';
import { refusal } from '#shared/refusals/refusal';
import type { EngineStatus } from '#shared/status';
import type { SavedEngines, StoredEngines } from './stored-engines.ts';
import type { Trials } from './trials.ts';

interface EnginesDependencies {
  stored: StoredEngines;
  engines: Pick<
    Engines,
    'models' | 'reading' | 'recognition' | 'synthesis' | 'rooms' | 'mediaStore' | 'controls' | 'sharedState'
  >;
  trials: Trials;
  audit: AuditService;
  /** The page's name for the brain in use. */
  brain(): string;
  /** Called when settings saved by another instance could not be read. */
  onFailure(error: unknown): void;
  /** The environment of the process, unless a test passes its own. */
  environment?: NodeJS.ProcessEnv | undefined;
}

/** The setting that names the engine of a capability, or the capability itself. */
const sectionOf = {
  language: ({ languageModels }: EngineConfig) => languageModels,
  ears: ({ speechRecognition }: EngineConfig) => speechRecognition,
  voice: ({ speechSynthesis }: EngineConfig) => speechSynthesis,
  rooms: ({ rooms: { livekit, keys } }: EngineConfig) => ({ livekit, keys }),
  storage: ({ mediaBucket }: EngineConfig) => mediaBucket,
};
/** Whether the embedded engine is in use. */
const isUsual = {
  language: ({ languageModels }: EngineConfig) => languageModels.length === 0,
  ears: ({ speechRecognition }: EngineConfig) => speechRecognition === null,
  voice: ({ speechSynthesis }: EngineConfig) => speechSynthesis === null,
  rooms: ({ rooms }: EngineConfig) => rooms.livekit === null,
  storage: ({ mediaBucket }: EngineConfig) => mediaBucket === null,
};

const SAVED = 'engine settings saved';

/** The engines in use, the source of their settings, and owners' changes of them. The environment wins. */
export class EnginesService {
  readonly #deps: EnginesDependencies;
  /** Changes run one after another: each starts from the saved result of the one before. */
  #changing: Promise<unknown> = Promise.resolve();
  readonly #trying = new Set<string>();

  constructor(deps: EnginesDependencies) {
    this.#deps = deps;
    const { sharedState } = deps.engines;
    const takeUp = () => void this.takeUp().catch(deps.onFailure);
    sharedState.hear(SAVED, z.null(), takeUp);
    sharedState.onMissed(takeUp);
  }

  async list(signal: AbortSignal): Promise<EngineSettings> {
    const { controls } = this.#deps.engines;
    const [saved, found, own] = await Promise.all([
      this.#deps.stored.read(),
      controls.find(signal),
      controls.ownModels(),
    ]);
    const merged = withStored(saved.settings, this.#deps.environment);
    return { engines: engineCapabilities.map((each) => this.#present(each, saved, merged)), found, own };
  }

  /**
   * Saves settings of an engine. Language, ears and voice use them from now on.
   * @throws AppError conflict for settings of the environment, invalid-input with the sentence of the settings
   */
  async change(
    owner: User,
    capability: EngineCapability,
    values: EngineValues,
    address: string,
  ): Promise<EngineInUse> {
    const { stored, engines, audit, environment } = this.#deps;
    const change = this.#changing.then(async () => {
      const before = await stored.read();
      const { own } = this.#merged(capability, before, values);
      await stored.save(capability, own, owner._id);
      const after = await stored.read();
      const merged = withStored(after.settings, environment);
      engines.controls.change(merged.config);
      engines.sharedState.tell(SAVED, null);
      return this.#present(capability, after, merged);
    });
    this.#changing = change.catch(() => {});
    const changed = await change;
    await audit.record({
      action: 'settings-changed',
      actor: { id: owner._id, email: owner.email },
      subject: [`engine for ${capability}:`, ...Object.keys(values)].join(' '),
      address,
    });
    return changed;
  }

  /**
   * Tries an engine with a real request: the one in use, or with `values` one of these settings, which are not saved.
   * @throws AppError as `change`, rate-limited while another trial of the user runs; the signal's reason
   */
  async try(
    owner: User,
    capability: EngineCapability,
    values: EngineValues | undefined,
    signal: AbortSignal,
  ): Promise<EngineTrial[]> {
    if (this.#trying.has(owner._id)) throw rateLimited(1_000);
    this.#trying.add(owner._id);
    try {
      const saved = await this.#deps.stored.read();
      const { config, own } = this.#merged(capability, saved, values ?? {});
      const { inUse } = this.#deps.engines.controls;
      const isInUse = isDeepStrictEqual(sectionOf[capability](config), sectionOf[capability](inUse));
      const isOther = values !== undefined && !isInUse;
      return await this.#deps.trials.run(
        capability,
        isOther ? config : null,
        this.#secretsOf(capability, own),
        signal,
      );
    } finally {
      this.#trying.delete(owner._id);
    }
  }

  /**
   * Applies the current settings, after another instance saved some or a secret file changed.
   * @returns these settings; rejects if saved settings cannot be read
   */
  async takeUp(): Promise<Config> {
    const { stored, engines, environment } = this.#deps;
    const change = this.#changing.then(async () => {
      const { settings } = await stored.read();
      const { config } = withStored(settings, environment);
      engines.controls.change(config);
      return config;
    });
    this.#changing = change.catch(() => {});
    return change;
  }

  /**
   * The settings of an engine after saving, and all settings with them.
   * @throws AppError conflict, invalid-input
   */
  #merged(
    capability: EngineCapability,
    { settings }: SavedEngines,
    values: EngineValues,
  ): { own: SettingValues; config: Config } {
    const fields = engineFields[capability];
    const before = settings[capability] ?? {};
    for (const [name, value] of Object.entries(values)) {
      const field = fields.find((each) => each.name === name);
      if (!field) throw invalidInput(refusal('engines.setting-unknown', { name }), name);
      if (value && this.#said(name) !== null) throw conflict(refusal('engines.set-in-environment', { name }));
    }
    const own: Record<string, string> = {};
    for (const { name } of fields) {
      const value = values[name] === undefined ? before[name] : values[name];
      if (value) own[name] = value;
    }
    this.#keepKeysWhereTheyWereGiven(capability, before, own, values);
    return { own, config: this.#checked(capability, settings, own) };
  }

  /** A key belongs to the server it was entered for: an address on another server needs the key again. */
  #keepKeysWhereTheyWereGiven(
    capability: EngineCapability,
    before: SettingValues,
    own: SettingValues,
    values: EngineValues,
  ): void {
    for (const { name, label, goesTo } of engineFields[capability]) {
      if (!goesTo || this.#said(goesTo) !== null || own[goesTo] === before[goesTo]) continue;
      if (originOf(own[goesTo]) === originOf(before[goesTo])) continue;
      if (this.#said(name) !== null)
        throw conflict(refusal('engines.set-there-too', { name, address: goesTo }));
      if (own[name] && !values[name]) throw invalidInput(refusal('engines.enter-again', { label }), name);
    }
  }

  /** @throws AppError invalid-input with the sentence of the settings */
  #checked(capability: EngineCapability, settings: SavedEngines['settings'], own: SettingValues): Config {
    const { environment } = this.#deps;
    const others = { ...settings };
    delete others[capability];
    const { problems } = withStored(others, environment);
    const taken = Object.entries(others).filter(([name]) => !(name in problems));
    try {
      return readConfig(environment, Object.assign({}, ...taken.map(([, values]) => values), own));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const [named] = engineFields[capability]
        .map(({ name }) => ({ name, at: error.message.search(new RegExp(`\\b${name}\\b`)) }))
        .filter(({ at }) => at >= 0)
        .sort((a, b) => a.at - b.at);
      throw invalidInput(inItsWords(error), ...(named ? [named.name] : []));
    }
  }

  #present(
    capability: EngineCapability,
    { settings, saved }: SavedEngines,
    { config, problems }: ReturnType<typeof withStored>,
  ): EngineInUse {
    const { inUse } = this.#deps.engines.controls;
    const section = sectionOf[capability];
    const own = settings[capability] ?? {};
    const fields = engineFields[capability].map((row): EngineField => {
      const said = this.#said(row.name);
      const value = said ?? own[row.name] ?? null;
      const isShown = row.kind !== 'key' && !(row.kind === 'address' && holdsPassword(value));
      return {
        name: row.name,
        label: row.label,
        kind: row.kind,
        value: isShown ? value : null,
        isSet: value !== null,
        isFixed: said !== null,
        example: exampleOf(row.name),
        ...(row.options ? { options: [...row.options] } : {}),
      };
    });
    const { name, status, lately } = this.#stateOf(capability);
    const byOwner =
      fields.some(
        ({ kind, isSet, isFixed }) => kind !== 'number' && kind !== 'choice' && isSet && !isFixed,
      ) && !(capability in problems);
    const savedLast = saved[capability];
    const isEmbedded = isUsual[capability](inUse);
    // Embedded engines report problems by their status.
    const problem = problems[capability] ?? (isEmbedded ? null : lately?.problem);
    return {
      capability,
      name,
      by: isEmbedded ? 'usual' : byOwner ? 'settings' : 'environment',
      ...(savedLast ? { saved: savedLast } : {}),
      waitsForStart: !isDeepStrictEqual(section(config), section(inUse)),
      status,
      ...(lately?.quick ? { quick: lately.quick } : {}),
      ...(problem ? { problem } : {}),
      fields,
    };
  }

  #stateOf(capability: EngineCapability): {
    name: string;
    status: EngineStatus;
    lately?: ReturnType<Engines['controls']['lately']>;
  } {
    const { models, reading, recognition, synthesis, rooms, mediaStore, controls } = this.#deps.engines;
    const ready = (message: string): EngineStatus => ({ state: 'ready', message });
    switch (capability) {
      case 'language': {
        const names = models().map(({ name }) => name);
        if (names.length === 0) return { name: this.#deps.brain(), status: reading.status() };
        const name = names.join(', then ');
        // A model that is being fetched or loaded has not failed.
        const here = models()[0]?.here?.status();
        if (here && here.state !== 'ready') return { name, status: here };
        const lately = controls.lately('language');
        const status: EngineStatus = lately.problem
          ? { state: 'failed', message: lately.problem }
          : ready(`${names[0]} answers.`);
        return { name, status, lately };
      }
      case 'ears':
        return {
          name: recognition.name,
          status: recognition.status(),
          lately: controls.lately('recognition'),
        };
      case 'voice':
        return { name: synthesis.name, status: synthesis.status(), lately: controls.lately('synthesis') };
      case 'rooms':
        return { name: rooms.name, status: rooms.status() };
      case 'storage':
        return { name: mediaStore.name, status: ready('Recordings are kept there.') };
    }
  }

  #secretsOf(capability: EngineCapability, own: SettingValues): string[] {
    return engineFields[capability].flatMap(({ name, kind }) => {
      const value = kind === 'text' || kind === 'number' ? null : (this.#said(name) ?? own[name] ?? null);
      if (value === null || kind === 'key') return value ?? [];
      return URL.canParse(value) ? [decodeURIComponent(new URL(value).password)] : [];
    });
  }

  #said = (name: string) => inEnvironment(name, this.#deps.environment);
}

const holdsPassword = (address: string | null) =>
  address !== null && (!URL.canParse(address) || new URL(address).password !== '');

/** The origin of an address; without one, the provider's own. */
const originOf = (address: string | undefined): string => {
  if (!address) return '';
  if (!URL.canParse(address)) return address;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
};
