import type { AgentWords, AgentVoice as JudgedVoice } from '#server/engines/turn-judgement/contract';
import { packOf } from '#server/languages/index';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import { type RecentSound, toMs, toSamples } from './sound.ts';

/** After the voice has ended, room and line still carry its sound for this long. */
const ECHO_TAIL = toSamples(700);
/** A reply that has not begun by then is no longer expected. */
const REPLY_EXPECTED = toSamples(6_000);

/** Tracks what the agent says and whether it still owes a reply. Positions are in the customer's sound. */
export class AgentVoice {
  readonly #sound: RecentSound;
  readonly #language: string;
  /** `endedAt` is null while it plays. */
  #voice: (AgentWords & { since: number; endedAt: number | null }) | null = null;
  #replyExpectedSince: number | null = null;

  constructor(sound: RecentSound, language: string) {
    this.#sound = sound;
    this.#language = language;
  }

  /** Its last words, or null. */
  get said(): AgentWords | null {
    return this.#voice && { text: this.#voice.text, expects: this.#voice.expects };
  }

  get isAudible(): boolean {
    return this.#voice !== null && this.#voice.endedAt === null;
  }

  /** Whether the reply to the last utterance is still to come. */
  get isExpected(): boolean {
    const since = this.#replyExpectedSince;
    return since !== null && this.#sound.end - since < REPLY_EXPECTED;
  }

  /** Whether speech now may be speech over a reply. */
  get hasTheFloor(): boolean {
    return this.isAudible || this.isExpected;
  }

  /** @param expects the answer it asks for; null: derive it from the text */
  says(text: string, expects: ExpectedAnswer | null): void {
    const goesOn = this.#voice !== null && text.startsWith(this.#voice.text);
    const since = goesOn && this.#voice ? this.#voice.since : this.#sound.end;
    this.#voice = {
      text,
      expects: expects ?? packOf(this.#language).turnTaking.expectedAnswer(text),
      since,
      endedAt: null,
    };
    this.#replyExpectedSince = null;
  }

  /** Its voice has ended or is paused. */
  fallSilent(): void {
    if (this.#voice && this.#voice.endedAt === null) this.#voice.endedAt = this.#sound.end;
  }

  expectReply(): void {
    this.#replyExpectedSince = this.#sound.end;
  }

  expectNoReply(): void {
    this.#replyExpectedSince = null;
  }

  /** Samples since its voice fell silent; null while it plays, or if it never spoke. */
  get silentFor(): number | null {
    const endedAt = this.#voice?.endedAt ?? null;
    return endedAt === null ? null : this.#sound.end - endedAt;
  }

  /** Its voice, if speech that began at this position may be its echo; else null. */
  over(startedAt: number): JudgedVoice | null {
    const voice = this.#voice;
    if (!voice || (voice.endedAt !== null && startedAt >= voice.endedAt + ECHO_TAIL)) return null;
    return { text: voice.text, expects: voice.expects, spokenMs: toMs(this.#sound.end - voice.since) };
  }
}
