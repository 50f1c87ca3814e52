import { EngineError } from '#server/engines/engine-error';
import type { ChatMessage, LanguageEngine, Usage } from '#server/engines/language/contract';
import { packOf } from '#server/languages/index';
import type { Outcome } from '#shared/conversations';
import { withoutCitations } from './cited.ts';
import type { CustomerTurn, ModelUse, ReplyEvent, WholeReply } from './contract.ts';
import { disclosureCheck } from './guardrails.ts';
import { SURE } from './knowledge/confidence.ts';
import { find, type Knowing } from './knowledge/find.ts';
import { voiceOf } from './manners/reply.ts';
import { stateFrom } from './manners/state.ts';
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
/** A sentence so many of whose words were said already says nothing new. */
const SAID_ALREADY = 0.6;

/** What a model-driven reply is made with. */
export interface ModelSurroundings {
  /** In the order in which they are asked. */
  models: readonly LanguageEngine[];
  knowing: Knowing;
  /** The embedded reader, which answers where no model does. */
  grounded(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent>;
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
  const question = [message.background, ...message.needs].filter(Boolean).join(' ') || turn.text;
  const found = await find(
    around.knowing,
    turn.agent,
    { text: question, context: state.question, section: state.section },
    signal,
  );
  const passages = found.ranked
    .slice(0, PASSAGES)
    .map(({ passage }) =>
      citationOf(
        passage,
        [passage.lead, ...passage.statements.map(({ told }) => told)].filter(Boolean).join(' '),
        turn.agent.companyName,
      ),
    );
  const discloses = disclosureCheck(turn.agent, [...rules, ...turn.agent.prompts].join('\n'));
  const pack = packOf(turn.agent.language);
  const unsupported = supportCheck(pack, {
    isOwnLanguage: turn.agent.language.toLowerCase().startsWith(pack.tag),
    told: [
      ...passages.flatMap(({ text, source }) => splitSentences(text).map((each) => `${source}: ${each}`)),
      ...turn.agent.prompts,
    ],
    customer: [
      ...turn.history.filter(({ role }) => role === 'user').map(({ content }) => content),
      turn.text,
    ],
    names: [turn.agent.name, turn.agent.companyName],
    question,
    isKnown: found.confidence >= KNOWN,
  });

  const cited = new Set<number>();
  const reply = new Sentences();
  let use: ModelUse | undefined;
  let isWithheld = false;
  let hasBrokenOff = true;
  const messages: ChatMessage[] = [...turn.history.slice(-REMEMBERED), { role: 'user', content: turn.text }];
  const asked = askInOrder(around, signal, (model) => {
    const stop = new AbortController();
    const request = {
      instructions: makeInstructions(turn.agent, passages),
      messages,
      signal: AbortSignal.any([signal, stop.signal]),
    };
    const text = textOf(model, request, (usage) => {
      use = { model: model.name, ...usage };
    });
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

  if (hasBrokenOff) {
    const rest = await theRest(
      around.grounded(turn, signal),
      reply,
      packOf(turn.agent.language).words.termsOf,
    );
    if (rest.isWhole) return yield* rest.events;
    for (const text of rest.sentences) yield* reply.add({ text, isFollowed: false });
    if (rest.sentences.length === 0) isWithheld = true;
  }
  if (isWithheld) yield* reply.add({ text: say.declined(voice), isFollowed: false });
  yield* reply.end(say.declined(voice));

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
      pending: null,
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
          yield { model: model.name, sentence };
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

async function* textOf(
  model: LanguageEngine,
  request: Parameters<LanguageEngine['stream']>[0],
  onUsed: (usage: Usage) => void,
): AsyncGenerator<string> {
  for await (const event of model.stream(request)) {
    if (event.type === 'text') yield event.text;
    else if (event.type === 'end') onUsed(event.usage);
  }
}

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

  /** @param otherwise said where nothing waits to be the last */
  *end(otherwise: string): Generator<ReplyEvent> {
    this.#waiting ??= otherwise;
    yield* this.#release(true);
  }

  *#release(isLast: boolean): Generator<ReplyEvent> {
    if (this.#waiting === null) return;
    yield { type: 'sentence', index: this.said.length, text: this.#waiting, isLast };
    this.said.push(this.#waiting);
    this.#waiting = null;
  }
}

type Rest =
  /** Nothing was said yet: the reader's reply as it is. */
  { isWhole: true; events: ReplyEvent[] } | { isWhole: false; sentences: string[] };

/** What the embedded reader says beyond what a model said before it broke off. */
async function theRest(
  events: AsyncIterable<ReplyEvent>,
  reply: Sentences,
  termsOf: (text: string) => string[],
): Promise<Rest> {
  const all: ReplyEvent[] = [];
  for await (const event of events) all.push(event);
  if (reply.length === 0) return { isWhole: true, events: all };
  const outcome = all.find(
    (event): event is { type: 'reply' } & WholeReply => event.type === 'reply',
  )?.outcome;
  const known = new Set(termsOf(reply.text));
  const isNew = (text: string) => {
    const terms = termsOf(text);
    return terms.length > 0 && terms.filter((term) => known.has(term)).length / terms.length < SAID_ALREADY;
  };
  const sentences = all.flatMap((event) =>
    event.type === 'sentence' && isNew(event.text) ? [event.text] : [],
  );
  return { isWhole: false, sentences: outcome === 'answered' ? sentences : [] };
}

function* whole(text: string, outcome: Outcome): Generator<ReplyEvent> {
  yield { type: 'sentence', index: 0, text, isLast: true };
  yield { type: 'reply', text, citations: [], outcome };
}
