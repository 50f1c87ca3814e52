import { z } from 'zod';

/** Longest recording that can be sent, in bytes. */
export const MAX_RECORDING_BYTES = 25 * 1024 * 1024;

/** Names of the parts of POST /api/conversations/{id}/audio. */
export const AUDIO_PART = 'audio';
export const TRANSCRIPT_PART = 'transcript';

/** Answer of POST /api/conversations/{id}/audio. */
export const recordingStoredSchema = z.object({
  /** Relative to the API's host. Plays without a token for 11 to 12 hours. */
  audioUrl: z.string(),
});
/** The same for a user who keeps no recordings: nothing was stored. */
export const recordingNotKeptSchema = z.object({ audioUrl: z.null() });
