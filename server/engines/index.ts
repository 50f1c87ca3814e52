import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';
import { type Metrics, noMetrics } from '#server/telemetry/metrics';
import type { ActionsEngine } from './actions/contract.ts';
import { createActions } from './actions/index.ts';
import type { Antivirus } from './antivirus/contract.ts';
import { createAntivirus } from './antivirus/index.ts';
import type { EngineControls } from './controls.ts';
import type { DocumentsEngine } from './documents/contract.ts';
import { createDocuments } from './documents/index.ts';
import type { SoundEncoder } from './encoding/contract.ts';
import { createMp3Encoder } from './encoding/mp3.ts';
import type { IdentityProvider } from './identity/contract.ts';
import { createIdentity } from './identity/index.ts';
import type { LanguageEngine } from './language/contract.ts';
import { findServersHere } from './language/found-here.ts';
import { createModels } from './language/index.ts';
import { OwnModels } from './language/own/own-models.ts';
import { openLive } from './live.ts';
import type { MailEngine } from './mail/contract.ts';
import { createMail } from './mail/index.ts';
import { observedReading } from './observed.ts';
import type { Outside } from './outside/contract.ts';
import { createSafeFetch } from './outside/safe-fetch.ts';
import type { ParticipantsEngine } from './participants/contract.ts';
import { createLiveKitParticipants } from './participants/livekit.ts';
import type { ReadingEngine } from './reading/contract.ts';
import { createReading } from './reading/index.ts';
import type { RecognitionEngine } from './recognition/contract.ts';
import { createRecognition } from './recognition/index.ts';
import type { RoomsEngine } from './rooms/contract.ts';
import { createRooms } from './rooms/index.ts';
import type { SentimentEngine } from './sentiment/contract.ts';
import { createSentiment } from './sentiment/index.ts';
import type { SharedState } from './shared-state/contract.ts';
import { openSharedState } from './shared-state/index.ts';
import type { MediaStore } from './storage/contract.ts';
import { createMediaStore } from './storage/index.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';
import { createSynthesis } from './synthesis/index.ts';
import type { TurnJudgementEngine } from './turn-judgement/contract.ts';
import { createTurnJudgement } from './turn-judgement/index.ts';
import type { VoiceActivityEngine } from './voice-activity/contract.ts';
import { createVoiceActivity } from './voice-activity/index.ts';
import type { Weights } from './weights/contract.ts';
import { createFetchers, createWeights } from './weights/index.ts';

/** Every capability of a server, each behind its contract. */
export interface Engines {
  /** State that instances of an installation share beside the database. */
  sharedState: SharedState;
  synthesis: SynthesisEngine;
  encoder: SoundEncoder;
  recognition: RecognitionEngine;
  voiceActivity: VoiceActivityEngine;
  turnJudgement: TurnJudgementEngine;
  reading: ReadingEngine;
  /** The current models, in the order in which they are asked; with none the grounded responder answers. */
  models: () => readonly LanguageEngine[];
  sentiment: SentimentEngine;
  rooms: RoomsEngine;
  participants: ParticipantsEngine;
  mediaStore: MediaStore;
  /** null: nothing is scanned. */
  antivirus: Antivirus | null;
  /** null: no mail is sent. */
  mail: MailEngine | null;
  /** null: sign-in by password only. */
  identity: IdentityProvider | null;
  /** Reads files of any kind. */
  documents: DocumentsEngine;
  /** Fetches from servers of third parties. */
  outside: Outside;
  /** The business's own systems. */
  actions: ActionsEngine;
  /** Changes some of the engines while the server runs. */
  controls: EngineControls;
}

export interface OpenEngines {
  engines: Engines;
  weights: Weights;
  /**
   * Lets the engines start their threads and load: the server listens first, then gives them the processors.
   */
  begin(): void;
  close(): Promise<void>;
}

/**
 * Opens the engines that the settings name.
 * @param around `installation` distinguishes installations that share a server
 * @throws StartError when the shared state cannot be used
 */
export async function openEngines(
  config: Config,
  around: { logger: Logger; installation: string; metrics?: Metrics },
): Promise<OpenEngines> {
  const { logger, metrics = noMetrics } = around;
  const sharedState = await openSharedState(config, around);
  let letBegin = () => {};
  const begin = new Promise<void>((resolve) => {
    letBegin = resolve;
  });
  const weights = createWeights({ modelsDir: config.modelsDir, logger, begin });
  const encoder = createMp3Encoder();
  void begin.then(() => encoder.warmUp());
  const reading = observedReading(createReading({ logger, begin }), metrics);
  const outside = createSafeFetch();
  const own = new OwnModels({
    modelsDir: config.modelsDir,
    logger,
    fetchers: createFetchers({ modelsDir: config.modelsDir, logger, begin }),
  });
  const make: EngineControls['make'] = {
    models: (settings) => createModels(settings, own),
    recognition: ({ speechRecognition }) => createRecognition({ weights, logger, speechRecognition }),
    synthesis: ({ speechSynthesis }) => createSynthesis({ weights, logger, speechSynthesis }),
    rooms: ({ rooms }) => createRooms({ rooms, dataDir: config.dataDir }, { logger, begin }),
    storage: ({ mediaBucket }) => createMediaStore({ mediaBucket, dataDir: config.dataDir }),
  };
  const rooms = await make.rooms(config);
  const mediaStore = make.storage(config);
  const ownModels = () => own.offers();
  const live = openLive(
    config,
    { make, find: findServersHere, ownModels, rooms, mediaStore },
    metrics,
    logger,
  );
  const engines: Engines = {
    sharedState,
    synthesis: live.synthesis,
    encoder,
    recognition: live.recognition,
    voiceActivity: createVoiceActivity({ weights, logger, speechRecognition: config.speechRecognition }),
    turnJudgement: createTurnJudgement({ logger }),
    reading,
    models: live.models,
    sentiment: createSentiment({ reading, begin }),
    rooms,
    // The embedded room server names no STUN servers.
    participants: createLiveKitParticipants({
      logger,
      stunServers: config.rooms.livekit && config.rooms.stunServers,
    }),
    mediaStore,
    antivirus: createAntivirus(config, { logger }),
    mail: createMail(config),
    identity: createIdentity(config),
    outside,
    actions: createActions({ outside, privateHosts: config.actionsPrivateHosts }),
    documents: createDocuments(),
    controls: live.controls,
  };
  return {
    engines,
    weights,
    begin: letBegin,
    async close() {
      // Close in reverse order: an engine comes after those it uses.
      for (const engine of Object.values(engines).reverse())
        if (engine && 'close' in engine) await engine.close();
      await own.close();
      await weights.close();
    },
  };
}
