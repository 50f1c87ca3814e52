import type { CustomerTurn, ModelAllowance, ModelUse, RunAction, Sentence } from '#server/dialogue/contract';
import { untilAborted } from '#server/lib/wait';
import { during, Timeline } from '#server/telemetry/timeline';
import { isSameText, isSameTurn } from './customer-turn.ts';
import { FirstWords } from './first-words.ts';
import type { Responder, ResponderEvent } from './responder.ts';
import type { ReplyVoice, SpokenWords, Voice } from './voice.ts';

/** A turn that is not taken by then will be another one. */
const KEPT_MS = 10_000;

/** What the customer may be about to have said. */
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

/** A reply as it is made, and as it is spoken. */
interface Answering extends ReplyVoice {
  events: AsyncIterable<ResponderEvent>;
  /** What was done for it before it was asked for. */
  timeline?: Timeline;
}

/**
 * Replies to what a customer has perhaps said: the responder is asked, and the first words spoken, while endpointing
 * still waits for more. Nothing is stored, nothing is done in the business's systems, and nobody hears of it. A turn that asks for the very same takes what was
 * thought ahead; in every other case, failures included, it is answered as ever. One thought a conversation.
 */
export class ThinkingAhead {
  readonly #voice: Voice;
  readonly #firstWords: FirstWords;
  readonly #isFollowed: boolean;
  readonly #thoughts = new Map<string, Thought>();

  /** @param isFollowed whether somebody wants to know what was done */
  constructor(voice: Voice, firstWords = new FirstWords(), isFollowed = false) {
    this.#isFollowed = isFollowed;
    this.#voice = voice;
    this.#firstWords = firstWords;
  }

  /** @param prepare what would be asked of which responder; may reject */
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

  /** Gives up what was thought ahead. */
  stop(conversationId: string): void {
    this.#take(conversationId)?.stop();
  }

  /** Answers a turn, with what was thought ahead where it fits. What is there of another turn is given up. */
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
  /** Lets it do what it waits to do. */
  #letRun: (run: RunAction | Promise<RunAction>) => void = () => {};
  readonly #mayRun: Promise<RunAction>;
  /** What models took of it before it was known which turn pays for that. */
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

  /** The turn is taken: what it asks for may be done now. */
  taken({ actions, models }: CustomerTurn): void {
    if (actions) this.#letRun(actions.taken);
    this.#payWith(models);
  }

  /** It is not overdue any more: somebody has it. */
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

  /** The reply from its beginning. One that failed before its first sentence is made `ordinarily`. */
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

/** A sentence of which the first words are being spoken; the others are when somebody listens to it. */
class BegunSentence {
  readonly #words: AsyncIterator<SpokenWords>;
  readonly #first: Promise<IteratorResult<SpokenWords>>;
  /** Somebody waits for it. */
  #awaited = () => {};

  constructor(speak: (awaited: Promise<void>) => AsyncIterable<SpokenWords>) {
    const awaited = new Promise<void>((resolve) => {
      this.#awaited = resolve;
    });
    this.#words = speak(awaited)[Symbol.asyncIterator]();
    this.#first = this.#words.next();
    this.#first.catch(() => {});
  }

  /** Waits for the first words: whether they could be spoken. */
  async isSpoken(): Promise<boolean> {
    this.#awaited();
    const { done, value } = await this.#first;
    return !done && value.speech !== null;
  }

  async *listen(): AsyncGenerator<SpokenWords> {
    for (let step = await this.#first; !step.done; step = await this.#words.next()) yield step.value;
  }
}

/** What was begun ahead; where that could not be spoken it is tried once more, now that somebody waits. */
async function* spokenOrAgain(
  ahead: BegunSentence,
  speak: () => AsyncIterable<SpokenWords> | null,
): AsyncGenerator<SpokenWords> {
  const again = (await ahead.isSpoken()) ? null : speak();
  yield* again ?? ahead.listen();
}
