import type { AgentWords, AgentVoice as JudgedVoice } from '#server/engines/turn-judgement/contract';
import { packOf } from '#server/languages/index';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import { type RecentSound, toMs, toSamples } from './sound.ts';

/** After its voice has ended the room and the line still carry the agent's words. */
const ECHO_TAIL = toSamples(700);
/** A reply that has not begun after so long is no longer waited for. */
const REPLY_EXPECTED = toSamples(6_000);

/** What the agent says, and whether a reply of it is still to come. Places are those of the customer's sound. */
export class AgentVoice {
  readonly #sound: RecentSound;
  readonly #language: string;
  /** `endedAt` is null while it is heard. */
  #voice: (AgentWords & { since: number; endedAt: number | null }) | null = null;
  #replyExpectedSince: number | null = null;

  constructor(sound: RecentSound, language: string) {
    this.#sound = sound;
    this.#language = language;
  }

  /** What it said last, or null. */
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

  /** Whether who speaks now may speak over a reply. */
  get hasTheFloor(): boolean {
    return this.isAudible || this.isExpected;
  }

  /** @param expects what it asks for; null: its words tell */
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
  over(startedAt: number): JudgedVoice | null {
    const voice = this.#voice;
    if (!voice || (voice.endedAt !== null && startedAt >= voice.endedAt + ECHO_TAIL)) return null;
    return { text: voice.text, expects: voice.expects, spokenMs: toMs(this.#sound.end - voice.since) };
  }
}
