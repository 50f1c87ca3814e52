import type { Config } from '#server/settings/config';
import type { FoundServer, OwnModels } from '#shared/engine-settings';
import type { LanguageEngine } from './language/contract.ts';
import type { Lately } from './lately.ts';
import type { RecognitionEngine } from './recognition/contract.ts';
import type { RoomsEngine } from './rooms/contract.ts';
import type { MediaStore } from './storage/contract.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';

/** The settings that name engines which owners may change, and the limits of language models. */
export type EngineConfig = Pick<
  Config,
  'languageModels' | 'modelUse' | 'speechRecognition' | 'speechSynthesis' | 'rooms' | 'mediaBucket'
>;

/** Changes engines while the server runs, and creates engines to test settings with. */
export interface EngineControls {
  /** The settings of the engines in use. */
  readonly inUse: EngineConfig;
  /**
   * Replaces the language, recognition and synthesis engines whose settings differ; requests from now on use
   * the new ones. Rooms and storage stay until the next start, but take new keys of the same server at once.
   */
  change(config: EngineConfig): void;
  /** How the engines in use performed recently. */
  lately(engine: 'language' | 'recognition' | 'synthesis'): Pick<Lately, 'quick' | 'problem'>;
  /** Language servers at their usual addresses on this machine. Never rejects. */
  find(signal: AbortSignal): Promise<FoundServer[]>;
  /** Models that may run on this machine. */
  ownModels(): Promise<OwnModels>;
  /** Creates engines for settings that are not in use; the caller closes them. */
  make: {
    models(config: EngineConfig): LanguageEngine[];
    recognition(config: EngineConfig): RecognitionEngine;
    synthesis(config: EngineConfig): SynthesisEngine;
    /** For a LiveKit server only: the embedded room server exists once. */
    rooms(config: EngineConfig): Promise<RoomsEngine>;
    storage(config: EngineConfig): MediaStore;
  };
}
