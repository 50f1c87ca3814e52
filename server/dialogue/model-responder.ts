import { EngineError } from '#server/engines/engine-error';
import type {
  ChatMessage,
  CompletionRequest,
  LanguageEngine,
  ToolCall,
  Usage,
} from '#server/engines/language/contract';
import { packOf } from '#server/languages/index';
import type { ExpectedAnswer } from '#server/languages/turn-taking';
import type { Outcome } from '#shared/conversations';
import type { ActionTools, ToolResult, Unconfirmed } from './actions/tools.ts';
import { tidied, withoutCitations } from './cited.ts';
import type { CustomerTurn, ModelUse, ReplyEvent, WholeReply } from './contract.ts';
import { disclosureCheck } from './guardrails.ts';
import { SURE } from './knowledge/confidence.ts';
import { type Found, find, type Knowing } from './knowledge/find.ts';
import { nearest } from './knowledge/nearest.ts';
import { voiceOf } from './manners/reply.ts';
import { type DialogueState, stateFrom } from './manners/state.ts';
import { citationOf } from './passages/contract.ts';
import { makeInstructions, rules } from './prompts.ts';
import { type StreamedSentence, sentencesFrom } from './sentence-stream.ts';
import { supportCheck } from './supported.ts';

/** Turns of the conversation that the model sees. */
const REMEMBERED = 20;
const MAX_SENTENCES = 12;
/** Passages that the model is given, best first. */
const PASSAGES = 6;
/** A yes may rest on what was found from here on: half as sure as an answer of the embedded reader's own. */
const KNOWN = SURE / 2;
/** A model that failed within this time is asked once more: nobody has waited yet. */
const RETRY_WITHIN_MS = 1_000;
/** Times that a model is asked in one turn, what it called being answered in between. */
const MAX_ROUNDS = 5;
/** A sentence so many of whose words were said already says nothing new. */
const SAID_ALREADY = 0.6;

/** What a model-driven reply is made with. */
export interface ModelSurroundings {
  /** In the order in which they are asked. */
  models: readonly LanguageEngine[];
  knowing: Knowing;
  /** The embedded reader, which answers where no model does. */
  grounded(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** What the turn's agent can do, as tools. */
  toolsOf(turn: CustomerTurn): ActionTools;
  onFailure(model: string, error: unknown): void;
  /** A sentence was not said, for `reason`. */
  onWithheld(model: string, reason: string): void;
}

/**
 * Lets a language model answer from the passages that the search finds. Each sentence is checked before it is said, and what
 * rests on nothing is left out, with the offer of a colleague in its place. Where a model fails the next one is asked, and
 * in the end the embedded reader, which also says the rest where one broke off. Never fails for a model's sake.
 * @throws the signal's reason
 */
export async function* respondWithModel(
  around: ModelSurroundings,
  turn: CustomerTurn,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  signal.throwIfAborted();
  const { messages: customer, replies, say, splitSentences } = packOf(turn.agent.language);
  const message = customer.read(turn.text);
  const voice = voiceOf(turn);
  if (message.acts.includes('injection')) {
    yield* whole(say.injection(voice), 'declined');
    return;
  }
  const state = stateFrom(turn.history);
  // What was read back is done, or not, by the customer's word alone.
  if (state.pending?.is === 'action' && customer.consentIn(turn.text) !== null) {
    yield* around.grounded(turn, signal);
    return;
  }
  const question = [message.background, ...message.needs].filter(Boolean).join(' ') || turn.text;
  const context = state.question;
  // How sure the search is, is needed when something is to be said, which takes a model longer.
  const finding = find(
    around.knowing,
    turn.agent,
    { text: question, context, section: state.section },
    signal,
  );
  finding.catch(() => {});
  const near = await nearest(around.knowing, turn.agent, { text: question, context }, PASSAGES, signal);
  const passages = near.map((passage) =>
    citationOf(
      passage,
      [passage.lead, ...passage.statements.map(({ told }) => told)].filter(Boolean).join(' '),
      turn.agent.companyName,
    ),
  );
  const discloses = disclosureCheck(turn.agent, [...rules, ...turn.agent.prompts].join('\n'));
  const pack = packOf(turn.agent.language);
  const told = [
    ...passages.flatMap(({ text, source }) => splitSentences(text).map((each) => `${source}: ${each}`)),
    ...turn.agent.prompts,
  ];
  const checked = (found: Found) =>
    supportCheck(pack, {
      told,
      customer: [
        ...turn.history.filter(({ role }) => role === 'user').map(({ content }) => content),
        turn.text,
      ],
      names: [turn.agent.name, turn.agent.companyName],
      question,
      isKnown: found.confidence >= KNOWN,
      isOwnLanguage: turn.agent.language.toLowerCase().startsWith(pack.tag),
    });
  let unsupported: ReturnType<typeof checked> | null = null;

  const cited = new Set<number>();
  const reply = new Sentences();
  let use: ModelUse | undefined;
  let isWithheld = false;
  let hasBrokenOff = true;
  let readBack: ToolResult['ask'];
  const tools = around.toolsOf(turn);
  const onResult = (result: ToolResult) => {
    told.push(...result.told);
    unsupported = null;
    readBack ??= result.ask;
  };
  const messages: ChatMessage[] = [...turn.history.slice(-REMEMBERED), { role: 'user', content: turn.text }];
  const asked = askInOrder(around, signal, (model) => {
    const stop = new AbortController();
    const request = {
      instructions: makeInstructions(turn.agent, passages),
      messages,
      signal: AbortSignal.any([signal, stop.signal]),
    };
    const onUsed = (usage: Usage) => {
      use = {
        model: model.name,
        input: plus(use?.input, usage.input),
        output: plus(use?.output, usage.output),
      };
    };
    const text = textOf(model, request, tools, { onUsed, onResult });
    return {
      sentences: sentencesFrom(
        withoutCitations(text, (n) => cited.add(n)),
        splitSentences,
      ),
      stop,
    };
  });
  for await (const { model, sentence } of asked) {
    if (sentence === null) {
      hasBrokenOff = false;
      break;
    }
    if (discloses(sentence.text)) {
      around.onWithheld(model, 'its instructions');
      isWithheld = true;
      hasBrokenOff = false;
      break;
    }
    unsupported ??= checked(await finding);
    const reason = unsupported(sentence.text);
    if (reason !== null) {
      around.onWithheld(model, reason);
      isWithheld = true;
      continue;
    }
    yield* reply.add(sentence);
    if (reply.length === MAX_SENTENCES - 1) {
      hasBrokenOff = false;
      break;
    }
  }
  signal.throwIfAborted();

  for (const text of readBack?.sentences ?? []) yield* reply.add({ text, isFollowed: false });
  if (!readBack && (hasBrokenOff || isWithheld)) {
    // The reader quotes: what a model may not say in its own words is said in the business's, where that answers.
    const rest = await theRest(around.grounded(turn, signal), reply, pack.words.termsOf);
    if (rest.isWhole && (hasBrokenOff || rest.isAnswer)) return yield* rest.events;
    for (const text of rest.sentences) yield* reply.add({ text, isFollowed: false });
    if (!rest.isAnswer) yield* reply.add({ text: say.declined(voice), isFollowed: false });
  }
  const found = await finding;
  yield* reply.end(say.declined(voice), readBack ? 'yes-or-no' : undefined);

  const text = reply.text;
  const outcome = replies.conclusionOf(text) ?? (message.needs.length > 0 ? 'answered' : 'social');
  const citations = passages.filter((_, n) => cited.has(n + 1));
  yield {
    type: 'reply',
    text,
    citations:
      outcome !== 'answered' ? [] : citations.length > 0 ? citations : (found.saying?.citations ?? []),
    outcome,
    ...(use ? { use } : {}),
    state: {
      ...state,
      pending: readBack ? waitingForYes(readBack.unconfirmed) : null,
      question: question.slice(-300) || state.question,
      section: found.section,
    },
  };
}

interface Asking {
  sentences: AsyncIterable<StreamedSentence>;
  stop: AbortController;
}

/**
 * Sentences of the first model that has any to say; null at the end of a whole answer. Ends without it where none
 * answered, or one broke off.
 */
async function* askInOrder(
  { models, onFailure }: ModelSurroundings,
  signal: AbortSignal,
  ask: (model: LanguageEngine) => Asking,
): AsyncGenerator<{ model: string; sentence: StreamedSentence | null }> {
  for (const model of models) {
    for (let attempt = 0; attempt < 2; attempt++) {
      const begin = performance.now();
      const { sentences, stop } = ask(model);
      let hasSpoken = false;
      try {
        for await (const sentence of sentences) {
          hasSpoken = true;
          yield { model: model.name, sentence: { ...sentence, text: tidied(sentence.text) } };
        }
        yield { model: model.name, sentence: null };
        return;
      } catch (error) {
        signal.throwIfAborted();
        onFailure(model.name, error);
        if (hasSpoken) return;
        const isWorthIt = error instanceof EngineError && error.retryable;
        if (!isWorthIt || performance.now() - begin > RETRY_WITHIN_MS) break;
      } finally {
        stop.abort(new Error('Nobody listens any more.'));
      }
    }
  }
}

/** What a model says; what it calls is run, and it goes on with what came of that, until something is to be confirmed. */
async function* textOf(
  model: LanguageEngine,
  request: CompletionRequest,
  tools: ActionTools,
  { onUsed, onResult }: { onUsed(usage: Usage): void; onResult(result: ToolResult): void },
): AsyncGenerator<string> {
  let messages = request.messages;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const calls: ToolCall[] = [];
    let said = '';
    for await (const event of model.stream({ ...request, messages, tools: tools.tools })) {
      if (event.type === 'call') calls.push(event.call);
      else if (event.type === 'end') onUsed(event.usage);
      else {
        said += event.text;
        yield event.text;
      }
    }
    if (calls.length === 0) return;
    const results: ChatMessage[] = [];
    for (const call of calls) {
      const result = await tools.call(call, request.signal);
      onResult(result);
      if (result.ask) return;
      results.push({ role: 'tool', call, result: result.result });
    }
    messages = [...messages, { role: 'assistant', content: said, calls }, ...results];
    // What it says next is another sentence.
    yield '\n';
  }
}

const waitingForYes = ({ actionId, given }: Unconfirmed): DialogueState['pending'] => ({
  is: 'action',
  actionId,
  given,
  asked: null,
  expects: 'yes-or-no',
  misses: 0,
});

const plus = (a: number | null | undefined, b: number | null) =>
  a == null && b === null ? null : (a ?? 0) + (b ?? 0);

/** The sentences of a reply. Each leaves at once if another follows; else it waits, so that the last one can be marked. */
class Sentences {
  readonly said: string[] = [];
  #waiting: string | null = null;

  get length(): number {
    return this.said.length + (this.#waiting === null ? 0 : 1);
  }

  get text(): string {
    return this.said.join(' ');
  }

  *add({ text, isFollowed }: StreamedSentence): Generator<ReplyEvent> {
    yield* this.#release(false);
    this.#waiting = text;
    if (isFollowed) yield* this.#release(false);
  }

  /**
   * @param otherwise said where nothing waits to be the last
   * @param expects what it asks the customer for
   */
  *end(otherwise: string, expects?: ExpectedAnswer): Generator<ReplyEvent> {
    this.#waiting ??= otherwise;
    yield* this.#release(true, expects);
  }

  *#release(isLast: boolean, expects?: ExpectedAnswer): Generator<ReplyEvent> {
    if (this.#waiting === null) return;
    const asks = expects ? { expects } : {};
    yield { type: 'sentence', index: this.said.length, text: this.#waiting, isLast, ...asks };
    this.said.push(this.#waiting);
    this.#waiting = null;
  }
}

interface Rest {
  /** Nothing was said yet: the reader's reply, as it is, may stand. */
  isWhole: boolean;
  events: ReplyEvent[];
  isAnswer: boolean;
  /** What it answers beyond what was said. */
  sentences: string[];
}

/** What the embedded reader says beyond what a model said before it broke off. */
async function theRest(
  events: AsyncIterable<ReplyEvent>,
  reply: Sentences,
  termsOf: (text: string) => string[],
): Promise<Rest> {
  const all: ReplyEvent[] = [];
  for await (const event of events) all.push(event);
  const outcome = all.find(
    (event): event is { type: 'reply' } & WholeReply => event.type === 'reply',
  )?.outcome;
  const known = new Set(termsOf(reply.text));
  const isNew = (text: string) => {
    const terms = termsOf(text);
    return terms.length > 0 && terms.filter((term) => known.has(term)).length / terms.length < SAID_ALREADY;
  };
  const isAnswer = outcome === 'answered';
  const sentences = all.flatMap((event) =>
    isAnswer && event.type === 'sentence' && isNew(event.text) ? [event.text] : [],
  );
  return { isWhole: reply.length === 0, events: all, isAnswer, sentences };
}

function* whole(text: string, outcome: Outcome): Generator<ReplyEvent> {
  yield { type: 'sentence', index: 0, text, isLast: true };
  yield { type: 'reply', text, citations: [], outcome };
}
