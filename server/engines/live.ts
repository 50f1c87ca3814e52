import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '#server/telemetry/logger';
import type { Metrics } from '#server/telemetry/metrics';
import type { EngineConfig, EngineControls } from './controls.ts';
import type { LanguageEngine } from './language/contract.ts';
import { Lately } from './lately.ts';
import { observedLanguage, observedRecognition, observedSynthesis } from './observed.ts';
import type { RecognitionEngine } from './recognition/contract.ts';
import { replaceableRecognition, replaceableSynthesis } from './replaceable.ts';
import type { RoomsEngine } from './rooms/contract.ts';
import type { MediaStore } from './storage/contract.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';

/** Models, recognition and synthesis, which can be replaced while running. */
interface LiveEngines {
  models: () => readonly LanguageEngine[];
  recognition: RecognitionEngine;
  synthesis: SynthesisEngine;
  controls: EngineControls;
}

/** Engines that stay until the next start. */
interface KeptEngines {
  rooms: Pick<RoomsEngine, 'takeKeys'>;
  mediaStore: Pick<MediaStore, 'takeKeys'>;
}

/**
 * Opens the engines that can change while the server runs, and the controls for them. For rooms and storage
 * only keys change.
 */
export function openLive(
  config: EngineConfig,
  {
    make,
    find,
    ownModels,
    rooms,
    mediaStore,
  }: Pick<EngineControls, 'make' | 'find' | 'ownModels'> & KeptEngines,
  metrics: Metrics,
  logger: Pick<Logger, 'warn'>,
): LiveEngines {
  const onFailure = (error: unknown) => logger.warn({ err: error }, 'a replaced engine could not be closed');
  const lately = { language: new Lately(), recognition: new Lately(), synthesis: new Lately() };
  // Each gets statistics of its own: earlier ones say nothing about the next engine.
  const modelsOf = (settings: EngineConfig) => {
    lately.language = new Lately();
    const made = make.models(settings).map((model) => observedLanguage(model, metrics, lately.language));
    for (const { here } of made) here?.begin();
    return made;
  };
  const recognitionOf = (settings: EngineConfig) => {
    lately.recognition = new Lately();
    return observedRecognition(make.recognition(settings), metrics, lately.recognition);
  };
  const synthesisOf = (settings: EngineConfig) => {
    lately.synthesis = new Lately();
    return observedSynthesis(make.synthesis(settings), metrics, lately.synthesis);
  };
  let inUse: EngineConfig = config;
  let models = modelsOf(config);
  const recognition = replaceableRecognition(recognitionOf(config), onFailure);
  const synthesis = replaceableSynthesis(synthesisOf(config), onFailure);
  const differs = (next: EngineConfig, part: keyof EngineConfig) =>
    !isDeepStrictEqual(next[part], inUse[part]);

  /** Applies changed keys at once where rooms and storage stay on the same server. */
  function takeKeys(next: EngineConfig): void {
    const [livekit, bucket] = [next.rooms.livekit, next.mediaBucket];
    if (rooms.takeKeys && livekit && livekit.url === inUse.rooms.livekit?.url) {
      if (!isDeepStrictEqual(livekit, inUse.rooms.livekit)) rooms.takeKeys(livekit);
      inUse = { ...inUse, rooms: { ...inUse.rooms, livekit } };
    }
    const [keys, before] = [bucket?.credentials, inUse.mediaBucket];
    if (
      mediaStore.takeKeys &&
      keys &&
      before &&
      isDeepStrictEqual({ ...before, credentials: keys }, bucket)
    ) {
      if (!isDeepStrictEqual(bucket, before)) mediaStore.takeKeys(keys);
      inUse = { ...inUse, mediaBucket: bucket };
    }
  }

  return {
    models: () => models,
    recognition: recognition.engine,
    synthesis: synthesis.engine,
    controls: {
      get inUse() {
        return inUse;
      },
      change(next) {
        if (differs(next, 'languageModels')) {
          const before = models;
          models = modelsOf(next);
          // Release afterwards, so that a model in both lists keeps running.
          for (const { here } of before) here?.leave();
        }
        if (differs(next, 'speechRecognition')) recognition.replace(recognitionOf(next));
        if (differs(next, 'speechSynthesis')) synthesis.replace(synthesisOf(next));
        const { languageModels, modelUse, speechRecognition, speechSynthesis } = next;
        inUse = { ...inUse, languageModels, modelUse, speechRecognition, speechSynthesis };
        takeKeys(next);
      },
      lately: (engine) => lately[engine],
      find,
      ownModels,
      make,
    },
  };
}
