import type { AgentVoice as HeardVoice } from '#server/engines/turn-judgement/contract';
import { type RecentSound, toMs, toSamples } from './sound.ts';

/** After its voice has ended the room and the line still carry the agent's words. */
const ECHO_TAIL = toSamples(700);
/** A reply that has not begun after so long is no longer waited for. */
const REPLY_EXPECTED = toSamples(6_000);

/** What the agent says, and whether a reply of it is still to come. Places are those of the customer's sound. */
export class AgentVoice {
  readonly #sound: RecentSound;
  /** `endedAt` is null while it is heard. */
  #voice: { text: string; since: number; endedAt: number | null } | null = null;
  #replyExpectedSince: number | null = null;

  constructor(sound: RecentSound) {
    this.#sound = sound;
  }

  /** What it said last, or null. */
  get said(): string | null {
    return this.#voice?.text ?? null;
  }

  get isAudible(): boolean {
    return this.#voice !== null && this.#voice.endedAt === null;
  }

  /** Whether the reply to the last utterance is still to come. */
  get isExpected(): boolean {
    const since = this.#replyExpectedSince;
    return since !== null && this.#sound.end - since < REPLY_EXPECTED;
  }

  /** Whether who speaks now may speak over a reply. */
  get hasTheFloor(): boolean {
    return this.isAudible || this.isExpected;
  }

  says(text: string): void {
    const goesOn = this.#voice !== null && text.startsWith(this.#voice.text);
    const since = goesOn && this.#voice ? this.#voice.since : this.#sound.end;
    this.#voice = { text, since, endedAt: null };
    this.#replyExpectedSince = null;
  }

  /** Its voice has ended, or is paused. */
  fallSilent(): void {
    if (this.#voice && this.#voice.endedAt === null) this.#voice.endedAt = this.#sound.end;
  }

  expectReply(): void {
    this.#replyExpectedSince = this.#sound.end;
  }

  expectNoReply(): void {
    this.#replyExpectedSince = null;
  }

  /** How long its voice has been silent, in samples; null while it is heard, or was never. */
  get silentFor(): number | null {
    const endedAt = this.#voice?.endedAt ?? null;
    return endedAt === null ? null : this.#sound.end - endedAt;
  }

  /** Its voice, as far as speech that began there may be its echo. */
  over(startedAt: number): HeardVoice | null {
    const voice = this.#voice;
    if (!voice || (voice.endedAt !== null && startedAt >= voice.endedAt + ECHO_TAIL)) return null;
    return { text: voice.text, spokenMs: toMs(this.#sound.end - voice.since) };
  }
}
