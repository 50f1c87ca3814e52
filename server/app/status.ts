import type { Database } from '#server/database/open';
import type { Dialogue } from '#server/dialogue/contract';
import type { Antivirus } from '#server/engines/antivirus/contract';
import type { Engines } from '#server/engines/index';
import { keptForAMoment, type Readiness } from '#server/http/health-routes';
import { noRoom } from '#server/lib/errors';
import type { Config } from '#server/settings/config';
import type { EngineStatus, ServerStatus } from '#shared/status';

/** What /ready checks, and which checks even text needs. */
export function readiness({
  database,
  engines,
  dialogue,
}: {
  database: Pick<Database, 'ping' | 'isFull'>;
  engines: Engines;
  dialogue: Dialogue;
}): Readiness[] {
  const engine = (name: string, status: () => EngineStatus, forText = () => false): Readiness => ({
    name,
    forText,
    check: async () => {
      const { state, message } = status();
      return state === 'ready' ? null : message;
    },
  });
  const { sharedState, antivirus } = engines;
  return [
    ...(sharedState.isShared
      ? [{ ...engine('shared state', () => sharedState.status()), isSpare: true as const }]
      : []),
    ...(antivirus
      ? [
          {
            name: 'antivirus',
            forText: () => false,
            isSpare: true as const,
            check: scannerTrouble(antivirus),
          },
        ]
      : []),
    {
      name: 'disk',
      forText: () => false,
      isSpare: true,
      check: async () => (database.isFull() ? noRoom().message : null),
    },
    {
      name: 'database',
      forText: () => true,
      check: keptForAMoment(async () => {
        await database.ping();
        return null;
      }),
    },
    engine('voice', () => engines.synthesis.status()),
    engine('ears', () => earsStatus(engines)),
    engine(
      'reading',
      () => engines.reading.status(),
      () => dialogue.brain.kind !== 'model',
    ),
    engine('sentiment', () => engines.sentiment.status()),
    engine('rooms', () => engines.rooms.status()),
  ];
}

/** Files wait for their scanner; calls and texts do not. */
const scannerTrouble = (antivirus: Antivirus) =>
  keptForAMoment(() =>
    antivirus.check().then(
      () => null,
      () => 'The antivirus scanner does not answer: no file is taken until it does.',
    ),
  );

/** The status of this server for the page. */
export function serverStatus({
  config,
  dialogue,
  engines,
}: {
  config: Partial<Pick<Config, 'retentionDays' | 'audioStaysHere'>>;
  dialogue: Dialogue;
  engines: Engines;
}): ServerStatus {
  const { brain } = dialogue;
  return {
    brain: {
      ...brain,
      status:
        brain.kind === 'model'
          ? { state: 'ready', message: `${brain.name} answers.` }
          : engines.reading.status(),
    },
    voice: { name: engines.synthesis.name, status: engines.synthesis.status() },
    ears: { name: engines.recognition.name, status: earsStatus(engines) },
    policy: {
      retentionDays: config.retentionDays ?? null,
      audioStaysHere: config.audioStaysHere ?? false,
    },
  };
}

/** The first problem of ears and voice for rooms, as a sentence; null if there is none. */
export const troubleInRooms = (engines: Engines): string | null =>
  [earsStatus(engines), engines.synthesis.status()].find(({ state }) => state !== 'ready')?.message ?? null;

/** Listening needs both voice activity detection and recognition. */
function earsStatus({ recognition, voiceActivity }: Engines): EngineStatus {
  const understands = recognition.status();
  return understands.state === 'ready' ? voiceActivity.status() : understands;
}
