import type { Config } from '#server/settings/config';
import type { FoundServer, OwnModels } from '#shared/engine-settings';
import type { LanguageEngine } from './language/contract.ts';
import type { Lately } from './lately.ts';
import type { RecognitionEngine } from './recognition/contract.ts';
import type { RoomsEngine } from './rooms/contract.ts';
import type { MediaStore } from './storage/contract.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';

/** What of the settings names engines that owners may change, and what language models may take. */
export type EngineConfig = Pick<
  Config,
  'languageModels' | 'modelUse' | 'speechRecognition' | 'speechSynthesis' | 'rooms' | 'mediaBucket'
>;

/** Changes engines while the server runs, and makes further ones to try settings with. */
export interface EngineControls {
  /** What the engines in use were made of. */
  readonly inUse: EngineConfig;
  /**
   * Puts language, recognition and synthesis of these settings in place of those in use, where they differ: whoever asks
   * from now on asks them. Rooms and storage stay until the next start, and take keys of their own server at once.
   */
  change(config: EngineConfig): void;
  /** How those in use did lately. */
  lately(engine: 'language' | 'recognition' | 'synthesis'): Pick<Lately, 'quick' | 'problem'>;
  /** Language servers at their usual addresses on this machine. Never rejects. */
  find(signal: AbortSignal): Promise<FoundServer[]>;
  /** Models that may run on this machine. */
  ownModels(): Promise<OwnModels>;
  /** Engines of settings that are not in use; whoever asks for one closes it. */
  make: {
    models(config: EngineConfig): LanguageEngine[];
    recognition(config: EngineConfig): RecognitionEngine;
    synthesis(config: EngineConfig): SynthesisEngine;
    /** Only for a LiveKit server: there is one embedded one. */
    rooms(config: EngineConfig): Promise<RoomsEngine>;
    storage(config: EngineConfig): MediaStore;
  };
}
