import { joinSounds, type Sound } from '#server/audio/sound';
import type { SoundEncoder } from '#server/engines/encoding/contract';
import type { SpokenAudio } from '#shared/realtime';

/** Speech for a page, in one file; nothing if there is none, or encoding fails. Never rejects. */
export async function spokenAudio(
  speeches: readonly (Sound | null)[],
  encoder: SoundEncoder,
  onFailure: (error: unknown) => void,
): Promise<SpokenAudio> {
  const sounds = speeches.filter((speech) => speech !== null);
  if (sounds.length === 0) return {};
  try {
    const { audio, mediaType } = await encoder.encode(joinSounds(sounds), 'now');
    return { audioData: Buffer.from(audio).toString('base64'), audioType: mediaType };
  } catch (error) {
    onFailure(error);
    return {};
  }
}
