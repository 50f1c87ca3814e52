import { z } from 'zod';
import type { Seal } from '#server/lib/seal';
import type { SettingValues, StoredSettings } from '#server/settings/stored-settings';
import { type EngineCapability, engineCapabilitySchema } from '#shared/engine-settings';
import type { EnginesRepository } from './repository.ts';

const valuesSchema = z.record(z.string(), z.string());
const purposeOf = (capability: EngineCapability) => `settings of the engine for ${capability}`;

/** Owners' saved settings of the engines, and when they were saved. */
export interface SavedEngines {
  settings: StoredSettings;
  saved: Partial<Record<EngineCapability, { name: string | null; at: string }>>;
}

/** Owners' saved settings of each engine, under the server's seal: keys, addresses, names of models. */
export class StoredEngines {
  readonly #repository: EnginesRepository;
  readonly #seal: Seal;

  constructor(repository: EnginesRepository, seal: Seal) {
    this.#repository = repository;
    this.#seal = seal;
  }

  async read(): Promise<SavedEngines> {
    const settings: Partial<Record<EngineCapability, SettingValues | null>> = {};
    const saved: SavedEngines['saved'] = {};
    for (const { capability, sealed, updatedBy, updatedAt } of await this.#repository.list()) {
      // A row of a newer version.
      if (!engineCapabilitySchema.safeParse(capability).success) continue;
      const opened = this.#seal.open(sealed, purposeOf(capability));
      settings[capability] = opened === null ? null : valuesSchema.parse(JSON.parse(opened));
      saved[capability] = { name: updatedBy, at: updatedAt.toISOString() };
    }
    return { settings, saved };
  }

  /** Replaces the saved settings; without any, deletes them. */
  async save(capability: EngineCapability, values: SettingValues, by: string): Promise<void> {
    if (Object.keys(values).length === 0) return this.#repository.delete(capability);
    await this.#repository.save(
      capability,
      this.#seal.close(JSON.stringify(values), purposeOf(capability)),
      by,
    );
  }
}
