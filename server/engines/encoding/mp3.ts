import type { Sound } from '#server/audio/sound';
import { EngineError } from '#server/lib/engine-error';
import { timeLimit } from '#server/lib/wait';
import { askedTwice, startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { SoundEncoder, SoundFile } from './contract.ts';
import type { Mp3Methods } from './mp3.worker.ts';
import { cutFile, streamedFile } from './mp3-files.ts';

/** An urgent sound takes some 10 ms; after this long the customer gets text instead. */
const PATIENCE_MS = 10_000;
/** Far longer than any sound takes, even on a busy machine. */
const HANG_MS = 12_000;

/**
 * Encodes MP3 in a thread of its own. The thread starts with the first sound, and again after it stopped or
 * hung. Long sounds that are being stored never delay sounds that a caller waits for.
 */
export function createMp3Encoder({ patienceMs = PATIENCE_MS }: { patienceMs?: number } = {}): SoundEncoder & {
  /** Starts the thread before the first sound. Never rejects. */
  warmUp(): Promise<void>;
} {
  const files = new WeakMap<Sound, Promise<SoundFile>>();
  let thread: WorkerThread<Mp3Methods> | null = null;

  function running(): WorkerThread<Mp3Methods> {
    const started =
      thread ??
      startWorkerThread<Mp3Methods>(import.meta.url, './mp3.worker', {
        hangMs: HANG_MS,
        onExit: () => {
          if (thread === started) thread = null;
        },
      });
    thread = started;
    return started;
  }

  async function make({ samples, sampleRate }: Sound, urgency: 'now' | 'later'): Promise<SoundFile> {
    if (!(sampleRate >= 8_000 && sampleRate <= 48_000))
      throw new RangeError('Sound is encoded at 8,000 to 48,000 samples a second.');
    const request = { sound: { samples, sampleRate }, urgency };
    const patience = urgency === 'now' ? timeLimit(patienceMs) : undefined;
    try {
      return await askedTwice(() => running().call('encode', request, patience));
    } catch (cause) {
      throw new EngineError('The sound could not be encoded.', { retryable: true, cause });
    }
  }

  return {
    encode(sound, urgency) {
      const known = files.get(sound);
      if (known) return known;
      const file = make(sound, urgency);
      files.set(sound, file);
      file.catch(() => files.delete(sound));
      return file;
    },
    cut: cutFile,
    streamed: streamedFile,
    warmUp: () =>
      running()
        .call('load', undefined)
        .catch(() => {}),
    async close() {
      await thread?.terminate();
    },
  };
}
