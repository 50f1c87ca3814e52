import { isSameText } from '#server/features/turns/customer-turn';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { FloorSurroundings, ReplySentence, Said } from './surroundings.ts';

/** One turn of the agent, from an accepted utterance to the end of its reply. */
interface AgentTurn<S> {
  /** Null for words that the agent says unasked. */
  said: S | null;
  /** It was not asked here: a reply to typed text, a welcome, or a reply in another tab. */
  isFromElsewhere: boolean;
  /** Null until it is stored. */
  responseId: string | null;
  /** Resolves when the response id is known, or never will be. */
  named: Promise<unknown>;
  state: 'taken' | 'speaking' | 'ended-while-held' | 'stopped';
  words: string;
  /** The answer that it asks for, once its end is known; null: derived from its words. */
  expects: ExpectedAnswer | null;
  hasVoice: boolean;
  isWhole: boolean;
}

/** The most waiting questions: with more, the people are no longer listening. */
const MAX_WAITING = 10;
/** Replies from elsewhere whose words are remembered without being played. */
const MAX_FROM_ELSEWHERE = 4;

/**
 * Decides between people and one agent who has the floor, on any loudspeaker. A turn has one life:
 *     candidate → taken → speaking ⇄ held → done
 *         │         └ called off    └ interrupted
 *         └ stopped thinking
 * - **candidate**: an utterance may be complete. Its reply is prepared speculatively, unnoticed. One at a time.
 * - **taken**: the utterance is stored and its reply is being made; none of it has been played. Speech now is a
 *   continuation: the reply is *called off*, and both utterances are answered together.
 * - **speaking**: the reply is playing. Speech over it **holds** it; a back-channel **releases** it, and more than that
 *   *interrupts* it: its stored text is cut to the part played.
 * - **done**: played to its end, or shown if there is no voice.
 */
export class Floor<S extends Said = Said> {
  readonly #around: FloorSurroundings<S>;
  #candidate: Said | null = null;
  /** Current turns, oldest first. */
  #turns: AgentTurn<S>[] = [];
  /** Stored utterances that are not taken yet. */
  #waiting: S[] = [];
  /** The people who hold the voice. */
  readonly #holds = new Set<string>();
  readonly #speakers = new Set<string>();
  /** People who called off the reply to their words: their next utterance is a continuation. */
  readonly #goOn = new Set<string>();

  constructor(around: FloorSurroundings<S>) {
    this.#around = around;
  }

  /** The utterance that may be complete. */
  get candidate(): Said | null {
    return this.#candidate;
  }

  /** The agent's state: `taken` while it thinks, `introducing` before unasked words are played. */
  get state(): 'free' | 'introducing' | 'taken' | 'speaking' {
    if (this.#speaking) return 'speaking';
    const [first] = this.#underWay;
    if (!first) return 'free';
    return first.said ? 'taken' : 'introducing';
  }

  /** Whether nobody holds the agent, and no awaited reply is playing or on its way. */
  get isQuiet(): boolean {
    const isFree = this.#underWay.every(({ isFromElsewhere, state }) => isFromElsewhere && state === 'taken');
    return isFree && this.#holds.size === 0 && this.#waiting.length === 0;
  }

  /** A person begins or stops speaking: a reply that has not begun waits for the end. */
  speaks(by: string, isSpeaking: boolean): void {
    if (isSpeaking) {
      this.#speakers.add(by);
      this.spokeOn(by, '');
    } else {
      this.#speakers.delete(by);
      this.release(by);
    }
  }

  /** A person may have finished with this text. */
  mayBeDone(by: string, text: string): void {
    const candidate = { by, text, goesOn: this.#goOn.has(by) };
    this.#candidate = candidate;
    // A slow recognition reports both at once: the utterance then follows right away.
    queueMicrotask(() => {
      if (this.#candidate === candidate && !this.#isOccupied) this.#around.think(candidate);
    });
  }

  /** A person has now said this text: if it differs from the candidate, the candidate was incomplete. */
  spokeOn(by: string, text: string): void {
    const candidate = this.#candidate;
    if (candidate?.by !== by || isSameText(text, candidate.text)) return;
    this.#candidate = null;
    this.#around.stopThinking(candidate);
  }

  /** Whether a person's words continue an utterance whose reply was called off unheard. */
  goesOn(by: string): boolean {
    return this.#goOn.has(by);
  }

  /** Has an utterance answered. Resolves when it is stored; rejects if it cannot be. */
  async take(said: S): Promise<void> {
    this.#candidate = null;
    this.#goOn.delete(said.by);
    if (!this.#isOccupied) return this.#begin(said);
    const noted = await this.#around.note?.(said);
    if (noted && this.#waiting.length < MAX_WAITING) this.#waiting.push(noted);
    // The obstacle may have ended meanwhile.
    this.#next();
  }

  /** Says unasked words, such as a welcome, unless a turn is in progress. */
  say(sentence: ReplySentence): void {
    if (this.state !== 'free') return;
    this.#turns.push(newTurn<S>(null, sentence.responseId));
    this.sentence(sentence);
  }

  /** Takes the next sentence of a reply. */
  sentence(sentence: ReplySentence): void {
    const { responseId, text, speech, isLast, expects } = sentence;
    const turn = this.#turnOf(responseId);
    if (turn.state === 'stopped') return;
    turn.words = turn.words ? `${turn.words} ${text}` : text;
    turn.expects = expects ?? null;
    turn.hasVoice ||= speech !== null;
    if (!this.#speaking) for (const by of this.#speakers) this.hold(by);
    this.#around.loudspeaker.say(sentence);
    if (turn.state === 'speaking') this.#around.agentSays(turn.words, turn.expects);
    if (isLast) this.#finish(turn);
  }

  /** A reply begins to play, or plays again. @returns whether its words are known */
  began(responseId: string): boolean {
    const turn = this.#turnOf(responseId);
    if (turn.state === 'stopped') return true;
    const before = this.#speaking;
    if (before && before !== turn) this.#remove(before);
    turn.state = 'speaking';
    this.#around.agentSays(turn.words, turn.expects);
    this.#around.changed();
    return turn.words !== '';
  }

  /** Sets the words of a playing reply that was made before this floor existed. */
  known(responseId: string, words: string): void {
    const turn = this.#speaking;
    if (turn?.responseId !== responseId || turn.words) return;
    turn.words = words;
    this.#around.agentSays(words);
  }

  /** A reply was played to its end, or will not be played. While held, it may still be interrupted. */
  ended(responseId: string): void {
    const turn = this.#turns.find((turn) => turn.responseId === responseId);
    if (turn?.state === 'taken') this.#shown(turn);
    if (turn?.state !== 'speaking') return;
    this.#around.agentSays(null);
    if (this.#holds.size > 0) turn.state = 'ended-while-held';
    else this.#done(turn);
  }

  /** A person speaks over the agent, or before its reply: it pauses, or does not begin. */
  hold(by: string): void {
    this.#holds.add(by);
    if (this.#holds.size === 1) this.#around.loudspeaker.hold();
  }

  /** It was a back-channel, a noise or silence: the agent continues where it paused. */
  release(by: string): void {
    if (!this.#holds.delete(by) || this.#holds.size > 0) return;
    this.#around.loudspeaker.release();
    const turn = this.#speaking;
    if (turn?.state === 'ended-while-held') this.#done(turn);
  }

  /** A person takes the floor from the playing reply, otherwise from the newest one on its way. */
  interrupt(by: string): void {
    const turn = this.#speaking ?? this.#newest;
    if (turn?.state === 'taken' && turn.said?.by === by) this.#goOn.add(by);
    this.#holds.delete(by);
    if (turn) void this.#stop(turn);
    else void this.#around.loudspeaker.stop(null);
    // The voice is free until the answer to the current utterance.
    if (this.#holds.size === 0) this.#around.loudspeaker.release();
    this.#next();
  }

  /** A person has left: none of their utterances is answered any more. Resolves when the played part is stored. */
  async forget(by: string): Promise<void> {
    this.#waiting = this.#waiting.filter((said) => said.by !== by);
    this.#goOn.delete(by);
    this.spokeOn(by, '');
    this.speaks(by, false);
    const stops = this.#underWay.filter(({ said }) => said?.by === by).map((turn) => this.#stop(turn));
    this.#next();
    await Promise.all(stops);
  }

  /** All people have left: stops the voice and drops waiting utterances. Resolves as `forget` does. */
  async clear(): Promise<void> {
    this.#waiting = [];
    await Promise.all(this.#underWay.map((turn) => this.#stop(turn)));
  }

  get #underWay(): AgentTurn<S>[] {
    return this.#turns.filter(({ state }) => state !== 'stopped');
  }

  get #speaking(): AgentTurn<S> | undefined {
    return this.#turns.find(({ state }) => state === 'speaking' || state === 'ended-while-held');
  }

  /** The newest turn with a waiting person. */
  get #newest(): AgentTurn<S> | undefined {
    return this.#underWay.findLast(({ isFromElsewhere }) => !isFromElsewhere);
  }

  get #isOccupied(): boolean {
    return this.#around.oneAtATime && this.#underWay.length > 0;
  }

  /** The turn of a reply; creates one for a reply from elsewhere. */
  #turnOf(responseId: string): AgentTurn<S> {
    const known = this.#turns.find((turn) => turn.responseId === responseId);
    if (known) return known;
    const turn = { ...newTurn<S>(null, responseId), isFromElsewhere: true };
    this.#turns.push(turn);
    const waiting = this.#turns.filter(({ isFromElsewhere, state }) => isFromElsewhere && state === 'taken');
    if (waiting.length > MAX_FROM_ELSEWHERE) this.#remove(waiting[0]);
    return turn;
  }

  async #begin(said: S): Promise<void> {
    const turn = newTurn(said, null);
    this.#turns.push(turn);
    this.#around.changed();
    const taking = this.#around.take(said);
    turn.named = taking.then(
      ({ responseId }) => {
        turn.responseId = responseId;
      },
      () => {},
    );
    try {
      const { responseId, settled } = await taking;
      if (responseId === null) this.#done(turn);
      else void settled.then(() => this.#settled(turn));
    } catch (error) {
      this.#done(turn);
      throw error;
    }
  }

  /** Its reply is complete, or has failed. */
  #settled(turn: AgentTurn<S>): void {
    if (turn.isWhole || turn.state === 'stopped' || !this.#turns.includes(turn)) return;
    if (turn.words) this.#finish(turn);
    else {
      this.#around.agentSays(null);
      this.#done(turn);
    }
  }

  #finish(turn: AgentTurn<S>): void {
    turn.isWhole = true;
    if (turn.responseId !== null) this.#around.loudspeaker.finish(turn.responseId);
    if (!turn.hasVoice) this.#shown(turn);
  }

  /** Its words were read instead of played: "yes" may answer them. */
  #shown(turn: AgentTurn<S>): void {
    if (turn.isFromElsewhere) return;
    if (turn === this.#newest && !this.#speaking) {
      this.#around.agentSays(turn.words, turn.expects);
      this.#around.agentSays(null);
    }
    this.#done(turn);
  }

  async #stop(turn: AgentTurn<S>): Promise<void> {
    turn.state = 'stopped';
    const playedMs = this.#around.loudspeaker.stop(turn.responseId);
    this.#around.agentSays(null);
    this.#around.changed();
    try {
      await turn.named;
      if (turn.responseId !== null) await this.#around.stop(turn.responseId, turn.said, playedMs);
    } catch (error) {
      this.#around.onFailure(error);
    } finally {
      this.#remove(turn);
    }
  }

  #done(turn: AgentTurn<S>): void {
    this.#remove(turn);
    this.#around.changed();
    this.#next();
  }

  #remove(turn: AgentTurn<S> | undefined): void {
    this.#turns = this.#turns.filter((other) => other !== turn);
  }

  #next(): void {
    if (this.#isOccupied) return;
    const said = this.#waiting.shift();
    if (said) this.#begin(said).catch((error: unknown) => this.#around.onFailure(error));
  }
}

const newTurn = <S>(said: S | null, responseId: string | null): AgentTurn<S> => ({
  said,
  isFromElsewhere: false,
  responseId,
  named: Promise.resolve(),
  state: 'taken',
  words: '',
  expects: null,
  hasVoice: false,
  isWhole: false,
});
