import { durationMs, type Sound } from '#server/audio/sound';
import type { Presence, SpeechPosition } from '#server/engines/participants/contract';
import { type DeliveredSentence, heardText } from '#server/features/calls/service';

export interface AgentVoiceListener {
  /** It speaks these words aloud; null: it has fallen silent. */
  says(text: string | null): void;
  /** What it said had no voice: its words are only shown. */
  shows(text: string): void;
  /** The words of a speech as far as they are heard. */
  caption(speechId: string, text: string, isFinal: boolean): void;
  /** A speech is over, heard to its end. */
  ended(speechId: string): void;
}

interface OneSpeech {
  id: string;
  sentences: DeliveredSentence[];
  hasVoice: boolean;
  hasBegun: boolean;
  isComplete: boolean;
  /** Milliseconds of it that have left. */
  heardMs: number;
  shown: string;
}

/** Sound that left is heard this much later: coding, way, and the buffer against jitter. */
const ON_THE_WAY_MS = 120;

/**
 * The agent's voice in one room: one speech at a time, captions that grow as the words are heard, pauses for whoever
 * speaks, and what was heard when somebody takes the floor.
 */
export class AgentVoice {
  readonly #presence: Presence;
  readonly #listener: AgentVoiceListener;
  /** Why it pauses: people who speak over it, or before it. */
  readonly #holds = new Set<string>();
  #speech: OneSpeech | null = null;

  constructor(presence: Presence, listener: AgentVoiceListener) {
    this.#presence = presence;
    this.#listener = listener;
  }

  /** The speech under way, from its first sentence to its last sound. */
  get speechId(): string | null {
    return this.#speech?.id ?? null;
  }

  /** Whether anything of the speech under way was heard. */
  get hasBegun(): boolean {
    return this.#speech?.hasBegun ?? false;
  }

  get isHeld(): boolean {
    return this.#holds.size > 0;
  }

  /** How much of the speech under way was heard, in milliseconds. */
  get heardMs(): number {
    return arrived(this.#speech?.heardMs ?? 0);
  }

  /** The next sentence of a speech; the first one begins it. Only one speech may be under way. */
  say(speechId: string, text: string, speech: Sound | null): void {
    this.#speech ??= {
      id: speechId,
      sentences: [],
      hasVoice: false,
      hasBegun: false,
      isComplete: false,
      heardMs: 0,
      shown: '',
    };
    const current = this.#speech;
    if (current.id !== speechId) return;
    current.sentences.push({ text, durationMs: speech && durationMs(speech) });
    if (speech) {
      current.hasVoice = true;
      this.#presence.say(speechId, speech);
      if (current.hasBegun) this.#listener.says(wordsOf(current));
    }
    if (!current.hasVoice) this.#show(current, wordsOf(current), false);
  }

  /** No more sentences come. A speech without a sound is over with that. */
  complete(speechId: string): void {
    const speech = this.#speech;
    if (speech?.id !== speechId) return;
    speech.isComplete = true;
    if (speech.hasVoice) this.#presence.finishSpeech(speechId);
    else {
      this.#listener.shows(wordsOf(speech));
      this.#conclude(speech);
    }
  }

  began(speechId: string): void {
    const speech = this.#speech;
    if (speech?.id !== speechId || speech.hasBegun) return;
    speech.hasBegun = true;
    this.#listener.says(wordsOf(speech));
  }

  heard({ speechId, heardMs }: SpeechPosition): void {
    const speech = this.#speech;
    if (speech?.id !== speechId) return;
    speech.heardMs = heardMs;
    // The word that is being said is shown with the others.
    this.#show(speech, heardText(speech.sentences, heardMs + ON_THE_WAY_MS).text, false);
  }

  ended(speechId: string): void {
    const speech = this.#speech;
    if (speech?.id === speechId) this.#conclude(speech);
  }

  /** Somebody speaks: it pauses where it is, or does not begin. */
  hold(by: string): void {
    this.#holds.add(by);
    if (this.#holds.size === 1) this.#presence.hold();
  }

  release(by: string): void {
    if (this.#holds.delete(by) && this.#holds.size === 0) this.#presence.release();
  }

  /**
   * Ends the speech under way where it is.
   * @returns what was heard of it, in words and milliseconds; null where there is none
   */
  async stop(): Promise<{ speechId: string; heardMs: number; text: string; isWhole: boolean } | null> {
    const speech = this.#speech;
    if (!speech) return null;
    this.#speech = null;
    this.#listener.says(null);
    const played = speech.hasVoice ? await this.#presence.stopSpeech(speech.id) : 0;
    const heardMs = arrived(Math.max(played, speech.heardMs));
    const { text, complete } = heardText(speech.sentences, heardMs);
    if (speech.shown !== '') this.#listener.caption(speech.id, text, true);
    return { speechId: speech.id, heardMs, text, isWhole: complete && speech.isComplete };
  }

  #conclude(speech: OneSpeech): void {
    this.#speech = null;
    this.#listener.says(null);
    this.#listener.caption(speech.id, wordsOf(speech), true);
    this.#listener.ended(speech.id);
  }

  #show(speech: OneSpeech, text: string, isFinal: boolean): void {
    if (text.length <= speech.shown.length) return;
    speech.shown = text;
    this.#listener.caption(speech.id, text, isFinal);
  }
}

const arrived = (leftMs: number) => Math.max(0, leftMs - ON_THE_WAY_MS);

const wordsOf = ({ sentences }: OneSpeech) => sentences.map(({ text }) => text).join(' ');
