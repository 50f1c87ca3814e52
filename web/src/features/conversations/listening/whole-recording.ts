import { logProblem } from '#web/lib/log';
import { toWav } from '#web/lib/microphone/wav';
import type { ShownMessage } from '../api.ts';
import { buildTimeline, type Timeline } from './timeline.ts';
import { decode, fetchRecording } from './waveform.ts';

/** Samples a second: enough for speech, a third of a CD. */
const RATE = 16_000;
/** Longest result, in seconds: 115 MB. */
const LONGEST = 60 * 60;

export class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

/**
 * The whole conversation as one file, as the player plays it: turns in order, pauses shortened, voices overlapping.
 * Made in the browser from the recordings, one after another.
 * @param renew a new link for a message's expired one
 * @returns the file, and the number of missing recordings
 * @throws TooLongError beyond an hour
 */
export async function wholeRecording(
  messages: readonly ShownMessage[],
  renew: (messageId: string) => Promise<string | null>,
  signal: AbortSignal,
): Promise<{ file: File; missing: number }> {
  const soundOf = async (id: string, link: string) =>
    (await decode(await fetchRecording(link, () => renew(id), signal), RATE)).getChannelData(0);
  const timeline = await measuredTimeline(messages, soundOf);
  if (timeline.length > LONGEST) throw new TooLongError();
  const mix = new Int16Array(Math.ceil(timeline.length * RATE));
  let missing = 0;
  for (const { id, start, audioUrl } of timeline.turns) {
    if (!audioUrl) continue;
    try {
      add(mix, await soundOf(id, audioUrl), Math.round(start * RATE));
    } catch (error) {
      signal.throwIfAborted();
      logProblem('A recording is missing in the whole.', error);
      missing += 1;
    }
  }
  return { file: toWav([mix], RATE), missing };
}

/** The timeline with the measured lengths of all recordings. */
async function measuredTimeline(
  messages: readonly ShownMessage[],
  soundOf: (id: string, link: string) => Promise<Float32Array>,
): Promise<Timeline> {
  const measured = new Map<string, number>();
  for (const { id, isGuessed, audioUrl } of buildTimeline(messages, measured).turns) {
    if (!isGuessed || !audioUrl) continue;
    const sound = await soundOf(id, audioUrl).catch(() => null);
    if (sound) measured.set(id, sound.length / RATE);
  }
  return buildTimeline(messages, measured);
}

function add(mix: Int16Array, sound: Float32Array, from: number): void {
  const until = Math.min(mix.length, from + sound.length);
  for (let at = from; at < until; at++) {
    const sample = (mix[at] ?? 0) + (sound[at - from] ?? 0) * 32_767;
    mix[at] = Math.max(-32_768, Math.min(32_767, Math.round(sample)));
  }
}
