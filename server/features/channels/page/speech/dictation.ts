import type { Hearing, HearingContext } from './hearing.ts';

/** Push to talk: the client gets the text, and sends it itself. */
export class Dictation implements Hearing {
  readonly listener: Hearing['listener'];
  readonly #context: HearingContext;
  #text = '';
  #partial = '';

  constructor(context: HearingContext) {
    this.#context = context;
    const { client } = context;
    const { conversationId } = context.request;
    this.listener = {
      speaking: (isSpeaking) => client.activity(conversationId, isSpeaking),
      partial: (text) => {
        this.#partial = text;
        client.transcript(conversationId, text, false);
      },
      hold() {},
      release() {},
      interrupt() {},
      candidate() {},
      utterance: ({ text }) => {
        this.#text = this.#text ? `${this.#text} ${text}` : text;
      },
    };
  }

  get understood(): string {
    return this.#text || this.#partial;
  }

  open(): void {}
  playback(): void {}
  replied(): void {}
  sentence(): void {}
  close(): void {}
  async settled(): Promise<void> {}

  conclude(): string {
    const { client, calls, request } = this.#context;
    const { scope, conversationId, voice } = request;
    client.transcript(conversationId, this.#text, true);
    if (this.#text) calls.think({ scope, conversationId, text: this.#text, voice });
    return this.#text;
  }
}
