import { isSameText } from '#server/features/turns/customer-turn';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { FloorSurroundings, ReplySentence, Said } from './surroundings.ts';

/** One turn of the agent's, from the moment somebody's words are taken until its reply is over. */
interface AgentTurn<S> {
  /** Null for what the agent says unasked. */
  said: S | null;
  /** Nobody asked for it here: a reply to what was typed, a welcome, one of another tab. */
  isFromElsewhere: boolean;
  /** Null until it is stored. */
  responseId: string | null;
  /** Resolves when it has its name, or never will have one. */
  named: Promise<unknown>;
  state: 'taken' | 'speaking' | 'ended-while-held' | 'stopped';
  words: string;
  /** What it asks for, once its end is known; null: its words tell. */
  expects: ExpectedAnswer | null;
  hasVoice: boolean;
  isWhole: boolean;
}

/** Questions that wait behind each other; whoever asks more has stopped listening. */
const MAX_WAITING = 10;
/** Replies from elsewhere that are known by their words without having been heard. */
const MAX_FROM_ELSEWHERE = 4;

/**
 * Who has the floor between people and one agent, on whatever loudspeaker. A turn has one life:
 *
 *     candidate → taken → speaking ⇄ held → done
 *         │         └ called off    └ interrupted
 *         └ stopped thinking
 *
 * - **candidate**: somebody may be done. Its reply is thought ahead; nobody knows. One at a time.
 * - **taken**: what was said is stored and its reply is made; nothing of it was heard. Who speaks now goes on with what
 *   they said: it is *called off*, and both are answered together.
 * - **speaking**: it is heard. Whoever speaks over it **holds** it; a back-channel **releases** it, and more than that
 *   *interrupts* it: what is stored of it is cut to what was played.
 * - **done**: heard to its end, or shown where there is no voice.
 */
export class Floor<S extends Said = Said> {
  readonly #around: FloorSurroundings<S>;
  #candidate: Said | null = null;
  /** Turns under way, oldest first. */
  #turns: AgentTurn<S>[] = [];
  /** What is stored and not taken yet. */
  #waiting: S[] = [];
  /** Who holds the voice. */
  readonly #holds = new Set<string>();
  readonly #speakers = new Set<string>();
  /** Who called off the reply to what they had said: what they say next goes on with it. */
  readonly #goOn = new Set<string>();

  constructor(around: FloorSurroundings<S>) {
    this.#around = around;
  }

  /** What somebody has perhaps said as a whole. */
  get candidate(): Said | null {
    return this.#candidate;
  }

  /** What the agent does: `taken` while it thinks, `introducing` before something unasked is heard. */
  get state(): 'free' | 'introducing' | 'taken' | 'speaking' {
    if (this.#speaking) return 'speaking';
    const [first] = this.#underWay;
    if (!first) return 'free';
    return first.said ? 'taken' : 'introducing';
  }

  /** Whether nobody holds the agent, and nothing that somebody here waits for is heard or on its way. */
  get isQuiet(): boolean {
    const isFree = this.#underWay.every(({ isFromElsewhere, state }) => isFromElsewhere && state === 'taken');
    return isFree && this.#holds.size === 0 && this.#waiting.length === 0;
  }

  /** Somebody begins to speak, or is done: nobody is talked over by a reply that has not begun. */
  speaks(by: string, isSpeaking: boolean): void {
    if (isSpeaking) {
      this.#speakers.add(by);
      this.spokeOn(by, '');
    } else {
      this.#speakers.delete(by);
      this.release(by);
    }
  }

  /** Somebody may be done with this. */
  mayBeDone(by: string, text: string): void {
    const candidate = { by, text, goesOn: this.#goOn.has(by) };
    this.#candidate = candidate;
    // A slow recognition tells both at once: then the utterance follows right away.
    queueMicrotask(() => {
      if (this.#candidate === candidate && !this.#isOccupied) this.#around.think(candidate);
    });
  }

  /** Somebody has said this by now: if it is not the candidate, that was not the whole. */
  spokeOn(by: string, text: string): void {
    const candidate = this.#candidate;
    if (candidate?.by !== by || isSameText(text, candidate.text)) return;
    this.#candidate = null;
    this.#around.stopThinking(candidate);
  }

  /** Whether what somebody says now goes on with what they said before, whose reply was called off unheard. */
  goesOn(by: string): boolean {
    return this.#goOn.has(by);
  }

  /** Has something answered that was said. Resolves when it is stored; rejects when it cannot be. */
  async take(said: S): Promise<void> {
    this.#candidate = null;
    this.#goOn.delete(said.by);
    if (!this.#isOccupied) return this.#begin(said);
    const noted = await this.#around.note?.(said);
    if (noted && this.#waiting.length < MAX_WAITING) this.#waiting.push(noted);
    // Whatever was in the way may have ended meanwhile.
    this.#next();
  }

  /** Says something unasked, such as a welcome, unless something else is under way. */
  say(sentence: ReplySentence): void {
    if (this.state !== 'free') return;
    this.#turns.push(newTurn<S>(null, sentence.responseId));
    this.sentence(sentence);
  }

  /** The next sentence of a reply is there. */
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

  /** A reply begins to be heard, or is heard again. @returns whether its words are known */
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

  /** The words of a reply that is heard and was made before anybody listened. */
  known(responseId: string, words: string): void {
    const turn = this.#speaking;
    if (turn?.responseId !== responseId || turn.words) return;
    turn.words = words;
    this.#around.agentSays(words);
  }

  /** A reply was heard to its end, or is not going to be heard. While it is held it may still be interrupted. */
  ended(responseId: string): void {
    const turn = this.#turns.find((turn) => turn.responseId === responseId);
    if (turn?.state === 'taken') this.#shown(turn);
    if (turn?.state !== 'speaking') return;
    this.#around.agentSays(null);
    if (this.#holds.size > 0) turn.state = 'ended-while-held';
    else this.#done(turn);
  }

  /** Somebody speaks over the agent, or before it: it pauses, or does not begin. */
  hold(by: string): void {
    this.#holds.add(by);
    if (this.#holds.size === 1) this.#around.loudspeaker.hold();
  }

  /** It was a back-channel, a noise or nothing: the agent goes on where it was. */
  release(by: string): void {
    if (!this.#holds.delete(by) || this.#holds.size > 0) return;
    this.#around.loudspeaker.release();
    const turn = this.#speaking;
    if (turn?.state === 'ended-while-held') this.#done(turn);
  }

  /** Somebody takes the floor: from the reply that is heard, otherwise from the newest that is on its way. */
  interrupt(by: string): void {
    const turn = this.#speaking ?? this.#newest;
    if (turn?.state === 'taken' && turn.said?.by === by) this.#goOn.add(by);
    this.#holds.delete(by);
    if (turn) void this.#stop(turn);
    else void this.#around.loudspeaker.stop(null);
    // The voice has nothing to say until the answer to what is being said now.
    if (this.#holds.size === 0) this.#around.loudspeaker.release();
    this.#next();
  }

  /** Somebody has left: nothing of theirs is answered any more. Resolves when what was heard is stored. */
  async forget(by: string): Promise<void> {
    this.#waiting = this.#waiting.filter((said) => said.by !== by);
    this.#goOn.delete(by);
    this.spokeOn(by, '');
    this.speaks(by, false);
    const stops = this.#underWay.filter(({ said }) => said?.by === by).map((turn) => this.#stop(turn));
    this.#next();
    await Promise.all(stops);
  }

  /** Nobody is there any more: falls silent and answers nothing of what waits. Resolves as `forget` does. */
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

  /** The newest turn that somebody waits for. */
  get #newest(): AgentTurn<S> | undefined {
    return this.#underWay.findLast(({ isFromElsewhere }) => !isFromElsewhere);
  }

  get #isOccupied(): boolean {
    return this.#around.oneAtATime && this.#underWay.length > 0;
  }

  /** The turn of a reply; one from elsewhere is known from now on. */
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

  /** Nothing more of its reply comes: it is whole, or has failed. */
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

  /** Its words were read instead of heard: "yes" may be an answer to them. */
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
