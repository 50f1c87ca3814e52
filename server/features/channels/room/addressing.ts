import type { AgentProfile } from '#server/dialogue/contract';
import type { Meant, Rooms } from '#server/languages/contract';
import { packOf } from '#server/languages/index';
import type { Spoken } from './answers.ts';

interface AddressingSurroundings {
  agent: AgentProfile;
  unansweredMs: number;
  /** Names of everybody in the room but one. */
  otherNames(identity: string): string[];
  /** Whether nobody speaks. */
  isQuiet(): boolean;
  /** A question that nobody has taken up. */
  onUnanswered(question: Spoken): void;
}

/** What is said so soon after the agent spoke may be an answer to it. */
const GOES_ON_WITHIN_MS = 12_000;

/**
 * To whom people in a room speak: to the agent at once, to each other, or to whoever answers. A question that nobody takes
 * up is the agent's after a while of silence.
 */
export class Addressing {
  readonly #around: AddressingSurroundings;
  /** How people talk among themselves and with the agent, in its language. */
  readonly #language: Rooms;
  /** What the agent said last, for whoever goes on with it; `to` null: to everybody. */
  #lastWords: { to: string | null; text: string; at: number } | null = null;
  #openQuestion: Spoken | null = null;
  #silence: NodeJS.Timeout | undefined;

  constructor(around: AddressingSurroundings) {
    this.#around = around;
    this.#language = packOf(around.agent.language).rooms;
  }

  /** What the agent is to do about what somebody says. */
  meant(identity: string, text: string): Meant {
    const { agent, otherNames } = this.#around;
    return this.#language.whoIsMeant({
      text,
      agentName: agent.name,
      otherNames: otherNames(identity),
      agentJustSaid: this.#justSaidTo(identity),
    });
  }

  /** Somebody has said something: it opens a question, closes the one that was open, or leaves it. */
  said(spoken: Spoken, meant: Meant): void {
    const before = this.#openQuestion;
    const isLeftOpen =
      meant === 'stay-silent' && before?.by !== spoken.by && this.#language.leavesItOpen(spoken.text);
    if (meant !== 'answer') this.#lastWords = null;
    if (!isLeftOpen) this.#openQuestion = meant === 'if-unanswered' ? spoken : null;
    this.quiet();
  }

  /** Somebody speaks: perhaps an answer. */
  speech(): void {
    clearTimeout(this.#silence);
  }

  /** Somebody speaks no more: from now on the silence counts. */
  quiet(): void {
    clearTimeout(this.#silence);
    if (!this.#openQuestion) return;
    this.#silence = setTimeout(() => {
      const question = this.#openQuestion;
      if (!question || !this.#around.isQuiet()) return;
      this.#openQuestion = null;
      this.#around.onUnanswered(question);
    }, this.#around.unansweredMs);
  }

  /** The agent has said this to somebody, or (null) to everybody. */
  agentSaid(to: string | null, text: string): void {
    this.#lastWords = { to, text, at: Date.now() };
  }

  /** The agent listens again: from now on it counts how long ago it spoke. */
  agentListens(): void {
    if (this.#lastWords) this.#lastWords.at = Date.now();
  }

  /** With one more person in the room it is open again who speaks to whom. */
  joined(): void {
    this.#lastWords = null;
  }

  left(identity: string): void {
    if (this.#openQuestion?.by === identity) this.interrupted();
  }

  /** Nobody waits for the answer to what was asked. */
  interrupted(): void {
    clearTimeout(this.#silence);
    this.#openQuestion = null;
  }

  #justSaidTo(identity: string): string | null {
    const last = this.#lastWords;
    if (!last || (last.to !== null && last.to !== identity)) return null;
    return Date.now() - last.at < GOES_ON_WITHIN_MS ? last.text : null;
  }
}
