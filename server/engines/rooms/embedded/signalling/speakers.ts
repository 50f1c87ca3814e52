import { SpeakerInfo } from '@livekit/protocol';
import type { Participant } from './participant.ts';

/** Interval at which speakers are determined; LiveKit's own. */
export const SPEAKERS_MS = 400;
/** Louder than this, in -dBov, is speech; as on LiveKit's server. */
const SPEECH_DBOV = 35;
/** Share of a window's packets that must be that loud, so that a click does not count. */
const SPEECH_SHARE = 0.4;
/** Windows with fewer packets (20 ms each) are ignored. */
const MIN_PACKETS = 3;
/** Smaller changes of loudness are not reported. */
const STEP = 8;

/** Determines the speakers from the loudness in audio packets (RFC 6464). */
export class Speakers {
  /** Loudness in steps, by participant. */
  readonly #active = new Map<string, number>();

  /** @returns changes since the last call: speakers with loudness (0 to 1), and those who stopped */
  look(participants: Iterable<Participant>): SpeakerInfo[] {
    const changed: SpeakerInfo[] = [];
    const present = new Set<string>();
    for (const participant of participants) {
      present.add(participant.sid);
      const level = levelOf(participant.levels.splice(0));
      const step = Math.ceil(level * STEP);
      const before = this.#active.get(participant.sid) ?? 0;
      if (step === before) continue;
      if (step > 0) this.#active.set(participant.sid, step);
      else this.#active.delete(participant.sid);
      changed.push(new SpeakerInfo({ sid: participant.sid, level: step > 0 ? level : 0, active: step > 0 }));
    }
    for (const sid of this.#active.keys()) if (!present.has(sid)) this.#active.delete(sid);
    return changed.sort((a, b) => b.level - a.level);
  }

  /** The current speakers, for a new participant. */
  current(): SpeakerInfo[] {
    return [...this.#active].map(([sid, step]) => new SpeakerInfo({ sid, level: step / STEP, active: true }));
  }
}

/** Loudness from 0 to 1; 0 without speech. */
function levelOf(levels: readonly number[]): number {
  if (levels.length < MIN_PACKETS) return 0;
  const loud = levels.filter((level) => level <= SPEECH_DBOV);
  if (loud.length < levels.length * SPEECH_SHARE) return 0;
  const mean = loud.reduce((sum, level) => sum + level, 0) / loud.length;
  return 10 ** (-mean / 20);
}
