import type { Presence, SpeechPosition } from '#server/engines/participants/contract';
import type { Loudspeaker, ReplySentence } from '#server/features/floor/surroundings';
import { type DeliveredSentence, delivered, playedText } from '#server/features/turns/service';

interface Speech {
  id: string;
  sentences: DeliveredSentence[];
  hasVoice: boolean;
  /** Playout position, in milliseconds. */
  leftMs: number;
  caption: string;
}

/** Delay from sending sound to hearing it: coding, network, and the jitter buffer. */
const ON_THE_WAY_MS = 120;

/** The agent's voice in one room: one reply at a time, with captions that grow as its words are played. */
export class RoomLoudspeaker implements Loudspeaker {
  readonly #presence: Presence;
  #speech: Speech | null = null;

  constructor(presence: Presence) {
    this.#presence = presence;
  }

  say(sentence: ReplySentence): void {
    const { responseId, speech } = sentence;
    this.#speech ??= { id: responseId, sentences: [], hasVoice: false, leftMs: 0, caption: '' };
    const current = this.#speech;
    if (current.id !== responseId) return;
    current.sentences.push(delivered(sentence));
    if (speech) {
      current.hasVoice = true;
      this.#presence.say(responseId, speech);
    }
    if (!current.hasVoice) this.#show(current, wordsOf(current));
  }

  finish(responseId: string): void {
    if (this.#speech?.id !== responseId) return;
    if (this.#speech.hasVoice) this.#presence.finishSpeech(responseId);
    else this.ended(responseId);
  }

  hold(): void {
    this.#presence.hold();
  }

  release(): void {
    this.#presence.release();
  }

  async stop(responseId: string | null): Promise<number> {
    const speech = this.#speech;
    if (!speech || speech.id !== responseId) return 0;
    this.#speech = null;
    const leftMs = speech.hasVoice ? await this.#presence.stopSpeech(speech.id) : 0;
    const playedMs = Math.max(0, leftMs - ON_THE_WAY_MS, speech.leftMs - ON_THE_WAY_MS);
    if (speech.caption) this.#caption(speech, playedText(speech.sentences, playedMs).text, true);
    return playedMs;
  }

  /** Reports how much of a reply was sent. */
  played({ speechId, playedMs }: SpeechPosition): void {
    const speech = this.#speech;
    if (speech?.id !== speechId) return;
    speech.leftMs = playedMs;
    // The word being spoken is shown, too.
    this.#show(speech, playedText(speech.sentences, playedMs + ON_THE_WAY_MS).text);
  }

  /** All of a reply was played, or shown. */
  ended(responseId: string): void {
    const speech = this.#speech;
    if (speech?.id !== responseId) return;
    this.#speech = null;
    this.#caption(speech, wordsOf(speech), true);
  }

  #show(speech: Speech, text: string): void {
    if (text.length <= speech.caption.length) return;
    speech.caption = text;
    this.#caption(speech, text, false);
  }

  #caption({ id }: Speech, text: string, isFinal: boolean): void {
    this.#presence.caption({ segmentId: id, text, isFinal });
  }
}

const wordsOf = ({ sentences }: Speech) => sentences.map(({ text }) => text).join(' ');
