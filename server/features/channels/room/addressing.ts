import type { AgentProfile } from '#server/dialogue/contract';
import type { Meant, Rooms } from '#server/languages/contract';
import { packOf } from '#server/languages/index';
import type { Spoken } from './answers.ts';

interface AddressingSurroundings {
  agent: AgentProfile;
  unansweredMs: number;
  /** Names of all people in the room but one. */
  otherNames(identity: string): string[];
  /** Whether all are silent. */
  isQuiet(): boolean;
  /** A question that nobody has answered. */
  onUnanswered(question: Spoken): void;
}

/** Speech soon after the agent spoke may answer it. */
const GOES_ON_WITHIN_MS = 12_000;

/**
 * Decides whom people in a room address: the agent, each other, or anybody. A question without an answer becomes the
 * agent's after a silence.
 */
export class Addressing {
  readonly #around: AddressingSurroundings;
  /** Patterns of how people talk with each other and with the agent, in its language. */
  readonly #language: Rooms;
  /** The agent's last words, to recognise answers to them; `to` null: to all. */
  #lastWords: { to: string | null; text: string; at: number } | null = null;
  #openQuestion: Spoken | null = null;
  #silence: NodeJS.Timeout | undefined;

  constructor(around: AddressingSurroundings) {
    this.#around = around;
    this.#language = packOf(around.agent.language).rooms;
  }

  /** How the agent should react to an utterance. */
  meant(identity: string, text: string): Meant {
    const { agent, otherNames } = this.#around;
    return this.#language.whoIsMeant({
      text,
      agentName: agent.name,
      otherNames: otherNames(identity),
      agentJustSaid: this.#justSaidTo(identity),
    });
  }

  /** An utterance is over: it opens a question, closes the open one, or leaves it. */
  said(spoken: Spoken, meant: Meant): void {
    const before = this.#openQuestion;
    const isLeftOpen =
      meant === 'stay-silent' && before?.by !== spoken.by && this.#language.leavesItOpen(spoken.text);
    if (meant !== 'answer') this.#lastWords = null;
    if (!isLeftOpen) this.#openQuestion = meant === 'if-unanswered' ? spoken : null;
    this.quiet();
  }

  /** A person speaks: perhaps an answer. */
  speech(): void {
    clearTimeout(this.#silence);
  }

  /** A person has stopped speaking: the silence counts from now on. */
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

  /** The agent has said this to a person, or (null) to all. */
  agentSaid(to: string | null, text: string): void {
    this.#lastWords = { to, text, at: Date.now() };
  }

  /** The agent listens again: the time since its speech counts from now on. */
  agentListens(): void {
    if (this.#lastWords) this.#lastWords.at = Date.now();
  }

  /** With another person in the room, the addressee is open again. */
  joined(): void {
    this.#lastWords = null;
  }

  left(identity: string): void {
    if (this.#openQuestion?.by === identity) this.interrupted();
  }

  /** The question no longer needs an answer. */
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
