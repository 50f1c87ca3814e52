import { SpeakerInfo } from '@livekit/protocol';
import type { Participant } from './participant.ts';

/** How often it is looked at who speaks; LiveKit's own interval. */
export const SPEAKERS_MS = 400;
/** Louder than this, in -dBov, is speech; so LiveKit's server has it. */
const SPEECH_DBOV = 35;
/** Share of a window's packets that must be that loud, so that a click is no word. */
const SPEECH_SHARE = 0.4;
/** A window with fewer packets (20 ms each) says nothing. */
const MIN_PACKETS = 3;
/** Smaller changes of loudness are not worth a message. */
const STEP = 8;

/** Finds out who speaks from the loudness that audio packets carry (RFC 6464). */
export class Speakers {
  /** Loudness in steps, by participant. */
  readonly #active = new Map<string, number>();

  /** @returns what changed since the last look: who speaks and how loud (0 to 1), and who no longer does */
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

  /** Who speaks right now, for somebody who has just come. */
  current(): SpeakerInfo[] {
    return [...this.#active].map(([sid, step]) => new SpeakerInfo({ sid, level: step / STEP, active: true }));
  }
}

/** Loudness from 0 to 1 of what was said; 0 when nothing was. */
function levelOf(levels: readonly number[]): number {
  if (levels.length < MIN_PACKETS) return 0;
  const loud = levels.filter((level) => level <= SPEECH_DBOV);
  if (loud.length < levels.length * SPEECH_SHARE) return 0;
  const mean = loud.reduce((sum, level) => sum + level, 0) / loud.length;
  return 10 ** (-mean / 20);
}
