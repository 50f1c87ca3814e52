import { durationMs, joinSounds, type Sound } from '#server/audio/sound';
import type { SynthesisEngine, SynthesisRequest } from '#server/engines/synthesis/contract';

export async function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** All sound that a voice makes of a text. */
export async function spoken(
  voice: SynthesisEngine,
  request: SynthesisRequest,
): Promise<Sound & { durationMs: number }> {
  const whole = joinSounds(await allOf(voice.synthesize(request)));
  return { ...whole, durationMs: durationMs(whole) };
}
