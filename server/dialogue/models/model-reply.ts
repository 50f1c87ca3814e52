import type { CompletionRequest, LanguageEngine } from '#server/engines/language/contract';
import { phrasesElsewhere } from '#server/languages/elsewhere';
import type { Citation } from '#shared/conversations';
import { waitingForYes } from '../actions/consent.ts';
import type { Unconfirmed } from '../actions/tools.ts';
import type { CustomerTurn, ReplyEvent } from '../contract.ts';
import type { Saying } from '../knowledge/choose.ts';
import { type DialogueState, isOfOwnRecords, stateForOthers, stateFrom } from '../manners/state.ts';
import { anotherSentence, instead } from './another-sentence.ts';
import { askInOrder, textOf } from './ask-models.ts';
import { begunAhead } from './begun-ahead.ts';
import { withColleague } from './colleague-tool.ts';
import { asks, conclusionOf } from './conclusion.ts';
import { MayBeSaid } from './may-be-said.ts';
import type { ModelUses } from './model-uses.ts';
import { makeInstructions, makeKnowledge, toChatMessage } from './prompts.ts';
import { quoteFor } from './quote.ts';
import { KNOWN, type TurnRead } from './read-turn.ts';
import { ReplySentences } from './reply-sentences.ts';
import { newBeside, theRest } from './rest.ts';
import { type StreamedSentence, sentencesFrom } from './sentence-stream.ts';
import type { ModelSurroundings } from './surroundings.ts';
import { findSources, type TurnSources } from './turn-sources.ts';

/** Turns of the conversation that the model sees. */
const REMEMBERED = 20;
const MAX_SENTENCES = 12;
/** A model that repeats so many of its sentences is in a loop, as small ones can be. */
const MAX_REPEATS = 2;

/** One reply of a language model: `say`, then `fillIn`, then `conclude`. */
export class ModelReply {
  readonly #around: ModelSurroundings;
  readonly #turn: CustomerTurn;
  readonly #read: TurnRead;
  readonly #sources: TurnSources;
  readonly #check: MayBeSaid;
  readonly #signal: AbortSignal;
  readonly #request: Omit<CompletionRequest, 'signal' | 'tools'>;
  readonly #colleague: ReturnType<typeof withColleague>;
  readonly #reply = new ReplySentences();
  readonly #cited = new Set<number>();
  readonly #heard = new Set<string>();
  readonly #quoted: Citation[] = [];
  #repeats = 0;
  #isWithheld = false;
  #hasBrokenOff = true;
  #hasStated = false;
  #speaking: LanguageEngine | null = null;
  #isAskedForAnother = false;
  #isAskedAgain = false;
  #quoting: Promise<Saying | null> | null = null;
  /** After a model has seen a customer's records, all its words may come from them. */
  #isPersonal: boolean;

  /** @throws the signal's reason */
  static async open(
    around: ModelSurroundings,
    turn: CustomerTurn,
    read: TurnRead,
    uses: ModelUses,
    signal: AbortSignal,
  ): Promise<ModelReply> {
    const sources = await findSources(around, turn, read, signal);
    const check = new MayBeSaid(around, turn, read, sources, uses, signal);
    return new ModelReply(around, turn, read, sources, check, signal);
  }

  private constructor(
    around: ModelSurroundings,
    turn: CustomerTurn,
    read: TurnRead,
    sources: TurnSources,
    check: MayBeSaid,
    signal: AbortSignal,
  ) {
    this.#around = around;
    this.#turn = turn;
    this.#read = read;
    this.#sources = sources;
    this.#check = check;
    this.#signal = signal;
    const shown = turn.history.slice(-REMEMBERED).filter(({ content }) => content !== '');
    this.#isPersonal = read.state.pending?.is === 'action' || shown.some(isOfOwnRecords);
    this.#request = {
      instructions: makeInstructions(turn.agent),
      knowledge: makeKnowledge(sources.passages, sources.moment),
      messages: [...shown.map(toChatMessage), { role: 'user' as const, content: turn.text }],
    };
    this.#colleague = withColleague(around.toolsOf(turn, read.pack), read.state.contact);
  }

  /** Says the models' sentences that may be said. */
  async *say(): AsyncGenerator<ReplyEvent> {
    const enough = new AbortController();
    const judged = begunAhead(
      this.#ask(enough.signal),
      ({ model, sentence }) => {
        const reason = sentence ? this.#check.reasonAgainst(model, sentence) : Promise.resolve(null);
        reason.catch(() => {});
        return reason;
      },
      () => enough.abort(new Error('Enough was said.')),
    );
    for await (const { item, work } of judged) {
      const { model, sentence } = item;
      if (sentence) this.#speaking = model;
      const isOver = sentence === null || this.#isRepeated(sentence) || this.#isDisclosure(model, sentence);
      if (isOver) {
        this.#hasBrokenOff = false;
        break;
      }
      if (this.#heard.has(sentence.text)) continue;
      this.#heard.add(sentence.text);
      yield* this.#sayOrReplace(model, sentence, await work);
      // A quotation may be several sentences.
      if (this.#reply.length >= MAX_SENTENCES - 1) {
        this.#hasBrokenOff = false;
        break;
      }
    }
    this.#signal.throwIfAborted();
  }

  /** Sentences of the models, in the order in which they are asked. */
  #ask(enough: AbortSignal) {
    const { pack } = this.#read;
    return askInOrder(this.#around, AbortSignal.any([this.#signal, enough]), (model) => {
      const stop = new AbortController();
      const asking = { ...this.#request, signal: AbortSignal.any([this.#signal, stop.signal, enough]) };
      const tools = model.checking === 'strict' ? this.#around.toolsOf(this.#turn, pack) : this.#colleague;
      const text = textOf(model, asking, tools, {
        onUsed: this.#check.used(model),
        onResult: (result) => {
          this.#isPersonal = true;
          this.#check.add(result);
        },
      });
      const prepare = (likely: string) => void this.#check.judging.prepare(likely);
      return { sentences: sentencesFrom(text, pack.splitSentences, prepare), stop };
    });
  }

  /** Whether a sentence repeats an earlier one once too often. */
  #isRepeated({ text }: StreamedSentence): boolean {
    if (!this.#heard.has(text)) return false;
    this.#repeats++;
    return this.#repeats >= MAX_REPEATS;
  }

  #isDisclosure(model: LanguageEngine, { text }: StreamedSentence): boolean {
    if (this.#heard.has(text) || !this.#check.discloses(text)) return false;
    this.#around.onWithheld(model.name, 'its instructions');
    this.#isWithheld = true;
    return true;
  }

  /** @param reason against saying the sentence; null: none */
  async *#sayOrReplace(
    model: LanguageEngine,
    sentence: StreamedSentence,
    reason: string | null,
  ): AsyncGenerator<ReplyEvent> {
    if (reason === null) {
      for (const number of sentence.cited) this.#cited.add(number);
      this.#hasStated ||= !this.#check.judging.isFree(sentence.text, sentence.cited);
      return yield* this.#reply.add(sentence);
    }
    this.#around.onWithheld(model.name, reason);
    this.#isWithheld = true;
    const other = this.#isAskedForAnother ? null : await this.#inItsPlace(model, sentence.text);
    this.#isAskedForAnother = true;
    if (other) {
      for (const number of other.cited) this.#cited.add(number);
      this.#hasStated = true;
      yield* this.#reply.add({ ...other, isFollowed: sentence.isFollowed });
    } else if (!this.#hasStated) yield* this.#quote(sentence);
  }

  /** Sentences that tools read back for confirmation. */
  get #readBack() {
    return this.#check.results.find(({ ask }) => ask)?.ask;
  }

  /** Results of tools, in the business's words. */
  get #done(): string[] {
    return this.#check.results.flatMap(({ told: [first] }) => (first ? [first] : []));
  }

  /**
   * Says the parts that the models left out: confirmations, results, and the embedded reader's knowledge.
   * @returns the embedded reader's reply if it replaces this one; null: this one continues
   */
  async *fillIn(): AsyncGenerator<ReplyEvent, ReplyEvent[] | null> {
    const readBack = this.#readBack;
    yield* this.#add(readBack?.sentences ?? []);
    if (!readBack && this.#done.length > 0 && this.#reply.length === 0) {
      // Its tools succeeded, but it had no sentence about them that may be said.
      yield* this.#add(this.#done);
      this.#hasStated = true;
    } else if (!readBack && this.#done.length === 0) {
      const whole = yield* this.#rest();
      if (whole) return whole;
    }
    yield* this.#askAgain();
    return null;
  }

  /** The reader quotes: if a model's own words may not be said, the business's own text is, if it answers. */
  async *#rest(): AsyncGenerator<ReplyEvent, ReplyEvent[] | null> {
    const { message, pack, waiting } = this.#read;
    const hasBrokenOff = this.#hasBrokenOff;
    if (!hasBrokenOff && !this.#isWithheld && this.#reply.length > 0) return null;
    const mayDecline = !this.#hasStated && !asks(this.#reply.text);
    if (!hasBrokenOff && !mayDecline) return null;
    const grounded = this.#around.grounded(this.#turn, this.#signal);
    const rest = await theRest(grounded, this.#reply, pack.words.termsOf);
    if (rest.isWhole && (hasBrokenOff || rest.isAnswer || waiting || message.needs.length === 0))
      return rest.events;
    this.#isPersonal ||=
      rest.whole !== undefined && isOfOwnRecords({ ...rest.whole, role: 'assistant', content: '' });
    const isSaid = (rest.isAnswer && !this.#hasStated) || hasBrokenOff;
    const sentences = isSaid ? rest.sentences : [];
    yield* this.#add(sentences);
    // If the reader continues the pending action, it has asked its question.
    this.#isAskedAgain =
      waiting !== null &&
      sentences.length > 0 &&
      waitingForYes(this.#turn, pendingAfter(rest.events)) !== null;
    if (sentences.length > 0) this.#quoted.push(...rest.citations);
    else if (mayDecline) {
      this.#cited.add(0);
      yield* this.#add([await this.#declined()]);
    }
    return null;
  }

  /** Neither a yes nor a no: asks again, unless another action was read back or another question is asked. */
  *#askAgain(): Generator<ReplyEvent> {
    const { isAside, pack, voice, waiting } = this.#read;
    const concluded = pack.replies.conclusionOf(this.#reply.text);
    // Models that omit [0] decline in words, which are recognised in the pack's language.
    if (this.#cited.size === 0 && this.#quoted.length === 0 && concluded === 'declined') this.#cited.add(0);
    const isConcluded = this.#cited.has(0) || asks(this.#reply.text) || concluded !== null;
    if (!waiting || this.#readBack || this.#isAskedAgain || this.#isWithheld || isConcluded) return;
    this.#isAskedAgain = true;
    yield* this.#add(pack.say.confirmAgain(voice, waiting.action.name, waiting.inputs, isAside));
  }

  /** Ends the reply with its outcome. */
  async *conclude(): AsyncGenerator<ReplyEvent> {
    const { pack, voice, message, state, isFarewell } = this.#read;
    const { finding, isOwnLanguage, passages, question } = this.#sources;
    const reply = this.#reply;
    const isReadBack = this.#readBack !== undefined;
    const found = await finding;
    const more = isOwnLanguage ? null : phrasesElsewhere(this.#turn.agent.language)?.anythingElse;
    yield* reply.end(
      reply.length > 0 ? (more ?? pack.say.anythingElse(voice)) : pack.say.declined(voice),
      isReadBack || this.#isAskedAgain ? 'yes-or-no' : undefined,
    );
    const { left } = this.#colleague;
    const outcome = conclusionOf({
      isReadBack: isReadBack || (this.#isAskedAgain && !this.#hasStated),
      isHandedOver: left !== null,
      cited: this.#cited,
      hasAnswered: this.#quoted.length > 0 || this.#done.length > 0,
      hasStated: this.#hasStated,
      isAsked: message.needs.length > 0,
      isKnown: found.confidence >= KNOWN,
      text: reply.text,
    });
    const citations = [...passages.filter((_, n) => this.#cited.has(n + 1)), ...this.#quoted];
    const contact = { ...state.contact, ...left };
    const after: DialogueState = {
      ...state,
      contact,
      isHandedOver: state.isHandedOver || left !== null,
      pending: this.#pendingAfter(outcome === 'declined'),
      question: question.slice(-300) || state.question,
      section: found.section,
      isPersonal: this.#isPersonal || outcome === 'handover',
    };
    const leavesTo = isFarewell && after.pending === null && !asks(reply.text);
    yield {
      type: 'reply',
      text: reply.text,
      citations:
        outcome !== 'answered' ? [] : citations.length > 0 ? citations : (found.saying?.citations ?? []),
      outcome,
      ...(Object.keys(contact).length > 0 ? { contact } : {}),
      ...(leavesTo ? { leavesTo: 'end' as const } : {}),
      state: after,
      stateForOthers: stateForOthers(after),
    };
  }

  /** The pending question of the reply. */
  #pendingAfter(isDeclined: boolean): DialogueState['pending'] {
    const { misses, waiting } = this.#read;
    const readBack = this.#readBack;
    if (readBack) return toConfirm(readBack.unconfirmed);
    if (this.#isAskedAgain && waiting) return { ...waiting.pending, misses };
    return this.#cited.has(0) && isDeclined ? { is: 'colleague' } : null;
  }

  *#add(texts: readonly string[]): Generator<ReplyEvent> {
    for (const text of texts) yield* this.#reply.add({ text, cited: [], isFollowed: false });
  }

  /** Another sentence of the model for one that may not be said. */
  async #inItsPlace(model: LanguageEngine, sentence: string): Promise<StreamedSentence | null> {
    const other = await this.#another(model, instead.of(sentence));
    if (!other || other.cited.includes(0) || this.#heard.has(other.text) || this.#check.discloses(other.text))
      return null;
    this.#heard.add(other.text);
    return (await this.#check.reasonAgainst(model, other)) === null ? other : null;
  }

  #another(model: LanguageEngine, wish: string): Promise<StreamedSentence | null> {
    const asked = { said: this.#reply.text, wish };
    const { splitSentences } = this.#read.pack;
    return anotherSentence(
      model,
      this.#request,
      asked,
      splitSentences,
      this.#check.used(model),
      this.#signal,
    );
  }

  /** The business's own text on the customer's question, in place of a sentence. */
  async *#quote({ text, isFollowed }: StreamedSentence): AsyncGenerator<ReplyEvent> {
    const { knowing } = this.#around;
    const { pack } = this.#read;
    const { finding, question } = this.#sources;
    const { avoids } = this.#check;
    const { confidence, saying } = await finding;
    if (confidence < KNOWN || avoids(text)) return;
    this.#quoting ??= knowing.reading
      ? quoteFor(knowing, this.#turn.agent, { question, language: pack }, this.#signal)
      : Promise.resolve(saying);
    const said = await this.#quoting;
    if (!said) return;
    const isNew = newBeside(this.#reply.text, pack.words.termsOf);
    const sentences = said.sentences.filter((each) => isNew(each) && !avoids(each));
    for (const each of sentences) yield* this.#reply.add({ text: each, cited: [], isFollowed });
    if (sentences.length === 0) return;
    this.#quoted.push(...said.citations);
    this.#hasStated = true;
  }

  /** A decline, in the customer's language if the model can write it. */
  async #declined(): Promise<string> {
    const { pack, voice } = this.#read;
    if (this.#sources.isOwnLanguage) return pack.say.declined(voice);
    const other = this.#speaking && (await this.#another(this.#speaking, instead.ofAnAnswer));
    if (other && !this.#check.discloses(other.text) && !this.#check.avoids(other.text)) return other.text;
    return phrasesElsewhere(this.#turn.agent.language)?.declined ?? pack.say.declined(voice);
  }
}

/** The pending question of a reply. */
function pendingAfter(events: readonly ReplyEvent[]): DialogueState['pending'] {
  const state = events.find((event) => event.type === 'reply')?.state;
  return stateFrom([{ role: 'assistant', content: '', state }]).pending;
}

const toConfirm = ({ actionId, given }: Unconfirmed): DialogueState['pending'] => ({
  is: 'action',
  actionId,
  given,
  asked: null,
  expects: 'yes-or-no',
  misses: 0,
});
