import { invalidInput } from '#server/lib/errors';
import { startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { ReadSoundMethods } from './read-sound.worker.ts';

/** Reads sound files beside those who are answered: a long one takes seconds. */
export interface SoundReader {
  /**
   * @param file WAV, of any rate and as many channels as it likes
   * @returns mono, -1 to 1, at HEARING_SAMPLE_RATE
   * @throws AppError with a sentence about the file; the signal's reason
   */
  read(file: Uint8Array, signal: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/** The longest file takes a few seconds; on a busy machine others stand in its way. */
const HANG_MS = 60_000;

/** The thread starts with the first file, and again after it stopped. */
export function createSoundReader(): SoundReader {
  let thread: WorkerThread<ReadSoundMethods> | null = null;
  return {
    async read(file, signal) {
      thread ??= startWorkerThread<ReadSoundMethods>(import.meta.url, './read-sound.worker', {
        hangMs: HANG_MS,
        onExit: () => {
          thread = null;
        },
      });
      const read = await thread.call('read', { file }, signal);
      if ('key' in read) throw invalidInput(read, 'file');
      return read;
    },
    async close() {
      await thread?.finish();
    },
  };
}
