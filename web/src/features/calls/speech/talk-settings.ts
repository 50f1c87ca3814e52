import type { Preferences } from '#shared/preferences';
import type { EngineStatus, ServerStatus } from '#shared/status';
import { hasBrowserRecognition } from '#web/lib/microphone/speech-recognition';
import type { TalkSettings } from './ears.ts';
import type { TalkMode } from './talk-state.ts';

interface CallSettings extends TalkSettings {
  keepRecordings: boolean;
  /** What prevents each way of speaking, as a sentence; null if it works. */
  hindrance: Record<TalkMode, string | null>;
}

/** Chooses the recogniser of a call from the person's preference and the server's status. */
export function talkSettings(
  { recognition, keepRecordings }: Preferences,
  status: ServerStatus | undefined,
): CallSettings {
  const ears = earsOf(status?.ears?.status);
  const earsMessage = ears === 'ready' ? null : (status?.ears?.status.message ?? null);
  const browserListens = recognition === 'automatic' && hasBrowserRecognition();
  return {
    recognition,
    keepRecordings,
    ears,
    earsMessage,
    hindrance: { 'push-to-talk': browserListens ? null : earsMessage, 'hands-free': earsMessage },
  };
}

/** A server without a status is asked: it refuses with its own sentence. */
function earsOf(status: EngineStatus | undefined): TalkSettings['ears'] {
  if (!status || status.state === 'ready') return 'ready';
  return status.state === 'failed' ? 'failed' : 'coming';
}
