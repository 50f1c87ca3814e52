import type { CustomerTurn, ModelAllowance, ModelUse, RunAction, Sentence } from '#server/dialogue/contract';
import { untilAborted } from '#server/lib/wait';
import { during, Timeline } from '#server/telemetry/timeline';
import { isSameText, isSameTurn } from './customer-turn.ts';
import { FirstWords } from './first-words.ts';
import type { Responder, ResponderEvent } from './responder.ts';
import type { ReplyVoice, SpokenWords, Voice } from './voice.ts';

/** A later turn will differ from the candidate. */
const KEPT_MS = 10_000;

/** A possible utterance of the customer. */
interface Candidate {
  conversationId: string;
  text: string;
  goesOn: boolean;
  /** Whether the reply will be spoken. */
  voice: boolean;
}

/** A turn, and the responder that answers it. */
interface Asking {
  turn: CustomerTurn;
  responder: Responder;
}

/** A reply while it is made and spoken. */
interface Answering extends ReplyVoice {
  events: AsyncIterable<ResponderEvent>;
  /** The steps done before the turn was taken. */
  timeline?: Timeline;
}

/**
 * Replies to possible utterances: the responder is asked, and the first words are spoken, while endpointing still
 * waits. Stores nothing, runs no actions, and stays unnoticed. A turn with exactly the same request takes the prepared
 * reply; in every other case, including failures, it is answered normally. One per conversation.
 */
export class ThinkingAhead {
  readonly #voice: Voice;
  readonly #firstWords: FirstWords;
  readonly #isFollowed: boolean;
  readonly #thoughts = new Map<string, Thought>();

  /** @param isFollowed whether the steps are recorded */
  constructor(voice: Voice, firstWords = new FirstWords(), isFollowed = false) {
    this.#isFollowed = isFollowed;
    this.#voice = voice;
    this.#firstWords = firstWords;
  }

  /** @param prepare finds the responder and its request; may reject */
  think(candidate: Candidate, prepare: (signal: AbortSignal) => Promise<Asking>): void {
    const { conversationId } = candidate;
    if (this.#thoughts.get(conversationId)?.isOf(candidate)) return;
    this.stop(conversationId);
    const thought = new Thought(candidate, () => {
      if (this.#thoughts.get(conversationId) === thought) this.stop(conversationId);
    });
    this.#thoughts.set(conversationId, thought);
    const firstWordsOut = this.#firstWords.begin();
    const run = () => thought.run(prepare, this.#voice);
    void (this.#isFollowed ? during(thought.timeline, run) : run()).then(firstWordsOut);
  }

  /** Drops the prepared reply. */
  stop(conversationId: string): void {
    this.#take(conversationId)?.stop();
  }

  /** Answers a turn, with the prepared reply if it fits. A prepared reply to another turn is dropped. */
  answer(conversationId: string, asking: Asking, voice: ReplyVoice, signal: AbortSignal): Answering {
    const { turn, responder } = asking;
    const ordinarily = () => responder.respond(turn, signal);
    const thought = this.#take(conversationId);
    if (!thought?.fits(asking) || signal.aborted) {
      thought?.stop();
      return { events: ordinarily(), say: (sentence) => voice.say(sentence) };
    }
    signal.addEventListener('abort', () => thought.stop(), { once: true });
    thought.taken(turn);
    return {
      events: thought.events(ordinarily),
      timeline: thought.timeline,
      say: (sentence) => thought.say(sentence, voice),
    };
  }

  close(): void {
    for (const conversationId of [...this.#thoughts.keys()]) this.stop(conversationId);
  }

  #take(conversationId: string): Thought | undefined {
    const thought = this.#thoughts.get(conversationId);
    this.#thoughts.delete(conversationId);
    thought?.keep();
    return thought;
  }
}

class Thought {
  readonly timeline = new Timeline();
  readonly #candidate: Candidate;
  readonly #stopping = new AbortController();
  readonly #overdue: NodeJS.Timeout;
  readonly #events: ResponderEvent[] = [];
  #asking: Asking | null = null;
  /** Releases actions that wait for the turn. */
  #letRun: (run: RunAction | Promise<RunAction>) => void = () => {};
  readonly #mayRun: Promise<RunAction>;
  /** Model use before the turn that pays for it was known. */
  readonly #uses: ModelUse[] = [];
  #payer: ModelAllowance | null = null;
  #firstSentence: BegunSentence | null = null;
  #state: 'thinking' | 'complete' | 'failed' = 'thinking';
  #failure: unknown;
  #wake = () => {};

  constructor(candidate: Candidate, onOverdue: () => void) {
    this.#candidate = candidate;
    this.#overdue = setTimeout(onOverdue, KEPT_MS).unref();
    this.#mayRun = new Promise((resolve) => {
      this.#letRun = resolve;
    });
  }

  isOf({ text, goesOn, voice }: Candidate): boolean {
    const own = this.#candidate;
    return (
      this.#state !== 'failed' && isSameText(own.text, text) && own.goesOn === goesOn && own.voice === voice
    );
  }

  fits({ turn, responder }: Asking): boolean {
    if (this.#state === 'failed' || !this.#asking) return false;
    return this.#asking.responder === responder && isSameTurn(this.#asking.turn, turn);
  }

  /** The turn is taken: its actions may run now. */
  taken({ actions, models }: CustomerTurn): void {
    if (actions) this.#letRun(actions.taken);
    this.#payWith(models);
  }

  /** It no longer expires: a turn has it. */
  keep(): void {
    clearTimeout(this.#overdue);
  }

  stop(): void {
    this.#payWith(this.#asking?.turn.models);
    this.#stopping.abort(new Error('What was thought ahead is not wanted.'));
  }

  #payWith(models: ModelAllowance | undefined): void {
    this.#payer ??= models ?? null;
    for (const use of this.#uses.splice(0)) this.#payer?.onUse(use);
  }

  /** Never rejects. */
  async run(prepare: (signal: AbortSignal) => Promise<Asking>, voice: Voice): Promise<void> {
    const { signal } = this.#stopping;
    let replies: AsyncIterator<ResponderEvent> | undefined;
    try {
      const asking = await untilAborted(prepare(signal), signal);
      this.#asking = asking;
      const { turn, responder } = asking;
      const startedAt = performance.now();
      const actions = turn.actions && { actions: { ...turn.actions, taken: this.#mayRun } };
      const models = turn.models && { models: this.#paidLater(turn.models) };
      replies = responder.respond({ ...turn, ...actions, ...models }, signal)[Symbol.asyncIterator]();
      for (;;) {
        const step = await untilAborted(replies.next(), signal);
        if (step.done) break;
        this.#events.push(step.value);
        if (step.value.type === 'sentence' && step.value.index === 0)
          this.#speak(step.value.text, turn.agent.language, voice);
        this.#wake();
      }
      this.#state = 'complete';
      this.timeline.add({ name: 'dialogue', startedAt, endedAt: performance.now() });
    } catch (error) {
      this.#state = 'failed';
      this.#failure = error;
      void Promise.resolve(replies?.return?.()).catch(() => {});
    }
    this.#wake();
  }

  /** The reply from its beginning. If it failed before its first sentence, makes it by `ordinarily`. */
  async *events(ordinarily: () => AsyncIterable<ResponderEvent>): AsyncGenerator<ResponderEvent> {
    for (let next = 0; ; ) {
      const event = this.#events[next];
      if (event) {
        next++;
        yield event;
      } else if (this.#state === 'complete') return;
      else if (this.#state === 'failed') {
        if (next > 0) throw this.#failure;
        return yield* ordinarily();
      } else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  say(sentence: Sentence, voice: ReplyVoice): AsyncIterable<SpokenWords> | null {
    const ahead = sentence.index === 0 ? this.#firstSentence : null;
    return ahead ? spokenOrAgain(ahead, () => voice.say(sentence)) : voice.say(sentence);
  }

  #paidLater(models: ModelAllowance): ModelAllowance {
    return {
      isLeft: () => models.isLeft(),
      onUse: (use) => {
        if (this.#payer) this.#payer.onUse(use);
        else this.#uses.push(use);
      },
    };
  }

  #speak(text: string, language: string, voice: Voice): void {
    if (!this.#candidate.voice || !voice.isReady) return;
    this.#firstSentence = new BegunSentence((awaited) =>
      voice.speak({ text, language, urgency: 'later', awaited, firstWordsSoon: true }, this.#stopping.signal),
    );
  }
}

/** A sentence whose first words are being spoken; the others follow when it is consumed. */
class BegunSentence {
  readonly #words: AsyncIterator<SpokenWords>;
  readonly #first: Promise<IteratorResult<SpokenWords>>;
  /** Called when it is consumed. */
  #awaited = () => {};

  constructor(speak: (awaited: Promise<void>) => AsyncIterable<SpokenWords>) {
    const awaited = new Promise<void>((resolve) => {
      this.#awaited = resolve;
    });
    this.#words = speak(awaited)[Symbol.asyncIterator]();
    this.#first = this.#words.next();
    this.#first.catch(() => {});
  }

  /** Waits for the first words. @returns whether they could be spoken */
  async isSpoken(): Promise<boolean> {
    this.#awaited();
    const { done, value } = await this.#first;
    return !done && value.speech !== null;
  }

  async *listen(): AsyncGenerator<SpokenWords> {
    for (let step = await this.#first; !step.done; step = await this.#words.next()) yield step.value;
  }
}

/** The speech begun ahead; if it failed, tries once more, now that a listener waits. */
async function* spokenOrAgain(
  ahead: BegunSentence,
  speak: () => AsyncIterable<SpokenWords> | null,
): AsyncGenerator<SpokenWords> {
  const again = (await ahead.isSpoken()) ? null : speak();
  yield* again ?? ahead.listen();
}
