import type { ChatMessage, LanguageEngine } from '#server/engines/language/contract';
import { packOf } from '#server/languages/index';
import type { Citation, Outcome } from '#shared/conversations';
import { answersForAnother, consentTo, waitingForYes } from '../actions/consent.ts';
import { MAX_MISSES } from '../actions/reply.ts';
import type { ActionTools, ToolResult, Unconfirmed } from '../actions/tools.ts';
import { avoidanceCheck } from '../avoidance.ts';
import type { CustomerTurn, ReplyEvent } from '../contract.ts';
import { SURE } from '../knowledge/confidence.ts';
import { find, type Knowing } from '../knowledge/find.ts';
import { voiceOf } from '../manners/reply.ts';
import { type DialogueState, isOfOwnRecords, stateForOthers, stateFrom } from '../manners/state.ts';
import { saidIn } from '../said.ts';
import { askInOrder, textOf } from './ask-models.ts';
import { tidied, withoutCitations } from './cited.ts';
import { closerLookBy } from './closer-look.ts';
import { disclosureCheck } from './guardrails.ts';
import { Judgements } from './judgements.ts';
import { ModelUses } from './model-uses.ts';
import { passagesFor } from './passages-for.ts';
import { makeInstructions, rules } from './prompts.ts';
import { quoteFor } from './quote.ts';
import { ReplySentences } from './reply-sentences.ts';
import { newBeside, theRest } from './rest.ts';
import { sentencesFrom } from './sentence-stream.ts';
import { supportCheck } from './supported.ts';

/** Turns of the conversation that the model sees. */
const REMEMBERED = 20;
const MAX_SENTENCES = 12;
/** A model that says so many of its sentences again goes round in circles: small ones do. */
const MAX_REPEATS = 2;
/** A yes, or a quotation, may rest on what was found from here on: half as sure as an answer of the embedded reader's own. */
const KNOWN = SURE / 2;

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
 * Lets a language model answer from the passages that the search finds. Each sentence is checked before it is said. Where it may
 * rest on nothing, what the business itself says of the same is said instead, or it is left out and a colleague is offered. Where a model fails the next one is asked, and
 * in the end the embedded reader, which also says the rest where one broke off. Never fails for a model's sake.
 * @throws the signal's reason
 */
export async function* respondWithModel(
  around: ModelSurroundings,
  turn: CustomerTurn,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  const uses = new ModelUses();
  try {
    yield* answer(around, turn, uses, signal);
  } finally {
    for (const use of uses) turn.models?.onUse(use);
  }
}

async function* answer(
  around: ModelSurroundings,
  turn: CustomerTurn,
  uses: ModelUses,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  signal.throwIfAborted();
  const pack = packOf(turn.agent.language);
  const { messages: customer, replies, say, splitSentences } = pack;
  const isOwnLanguage = turn.agent.language.toLowerCase().startsWith(pack.tag);
  const message = customer.read(turn.text);
  const voice = voiceOf(turn);
  if (message.acts.includes('injection')) {
    yield* whole(say.injection(voice), 'declined');
    return;
  }
  const state = stateFrom(turn.history);
  // What was read back is done, or not, by the customer's word alone.
  const waiting = waitingForYes(turn, state.pending);
  const isAside = message.needs.length > 0 && !message.isStatement;
  const misses = waiting ? waiting.pending.misses + (isAside ? 0 : 1) : 0;
  if (
    misses >= MAX_MISSES ||
    answersForAnother(turn, pack) ||
    (state.pending?.is === 'action' && consentTo(turn, state.pending, pack) !== null)
  ) {
    yield* around.grounded(turn, signal);
    return;
  }
  const question = saidIn(message) || turn.text;
  const context = state.question;
  if (isOwnLanguage) around.knowing.reading?.prepareEntailment();
  // How sure the search is, is needed when something is to be said, which takes a model longer.
  const finding = find(
    around.knowing,
    turn.agent,
    { text: question, context, section: state.section },
    signal,
  );
  finding.catch(() => {});
  const { passages, statements } = await passagesFor(
    around.knowing,
    turn.agent,
    { text: question, context },
    signal,
  );
  const asksOrConcludes = (said: string) =>
    said.trimEnd().endsWith('?') || replies.conclusionOf(said) !== null;
  const discloses = disclosureCheck(turn.agent, [...rules, ...turn.agent.prompts].join('\n'));
  const avoids = avoidanceCheck(pack.instructionsIn(turn.agent.prompts), pack.words);
  const told = [...statements, ...turn.agent.prompts];
  const look = closerLookBy(around.knowing.reading, signal);
  const judgements = new Judgements(async () => {
    const sources = {
      told,
      customer: [
        ...turn.history.filter(({ role }) => role === 'user').map(({ content }) => content),
        turn.text,
      ],
      names: [turn.agent.name, turn.agent.companyName],
      question,
      isKnown: (await finding).confidence >= KNOWN,
      isOwnLanguage,
    };
    return supportCheck(pack, sources, look);
  });

  const cited = new Set<number>();
  const heard = new Set<string>();
  const quoted: Citation[] = [];
  let repeats = 0;
  const reply = new ReplySentences();
  let isWithheld = false;
  let hasBrokenOff = true;
  let isAskedAgain = false;
  let readBack: ToolResult['ask'];
  const tools = around.toolsOf(turn);
  const shown = turn.history.slice(-REMEMBERED).filter(({ content }) => content !== '');
  // Whatever a model says after it has seen somebody's records may be of them.
  let isPersonal = state.pending?.is === 'action' || shown.some(isOfOwnRecords);
  const onResult = (result: ToolResult) => {
    isPersonal = true;
    told.push(...result.told);
    judgements.forget();
    readBack ??= result.ask;
  };
  const messages: ChatMessage[] = [
    ...shown.map(({ role, content }) => ({ role, content })),
    { role: 'user', content: turn.text },
  ];
  const asked = askInOrder(around, signal, (model) => {
    const stop = new AbortController();
    const request = {
      instructions: makeInstructions(turn.agent, passages),
      messages,
      signal: AbortSignal.any([signal, stop.signal]),
    };
    const text = textOf(model, request, tools, {
      onUsed: (tokens) => uses.add(model.name, tokens),
      onResult,
    });
    return {
      sentences: sentencesFrom(
        withoutCitations(text, (n) => cited.add(n)),
        splitSentences,
        (text) => void judgements.reasonAgainst(tidied(text)),
      ),
      stop,
    };
  });
  for await (const { model, sentence } of asked) {
    if (sentence === null) {
      hasBrokenOff = false;
      break;
    }
    if (heard.has(sentence.text)) {
      repeats++;
      if (repeats < MAX_REPEATS) continue;
      hasBrokenOff = false;
      break;
    }
    heard.add(sentence.text);
    if (discloses(sentence.text)) {
      around.onWithheld(model, 'its instructions');
      isWithheld = true;
      hasBrokenOff = false;
      break;
    }
    const isAvoided = avoids(sentence.text);
    const reason = isAvoided
      ? 'the business never wants it said'
      : await judgements.reasonAgainst(sentence.text);
    if (reason !== null) {
      around.onWithheld(model, reason);
      const mayQuote = !isAvoided && (await finding).confidence >= KNOWN;
      const quote = mayQuote ? await quoteFor(around.knowing, turn.agent, sentence.text, signal) : null;
      if (!quote) isWithheld = true;
      const isNew = newBeside(reply.text, pack.words.termsOf);
      const said = quote?.sentences.filter((each) => isNew(each) && !avoids(each)) ?? [];
      for (const text of said) yield* reply.add({ text, isFollowed: sentence.isFollowed });
      if (quote && said.length > 0) quoted.push(...quote.citations);
    } else yield* reply.add(sentence);
    // A quotation may be several sentences.
    if (reply.length >= MAX_SENTENCES - 1) {
      hasBrokenOff = false;
      break;
    }
  }
  signal.throwIfAborted();

  for (const text of readBack?.sentences ?? []) yield* reply.add({ text, isFollowed: false });
  if (!readBack && (hasBrokenOff || isWithheld)) {
    // The reader quotes: what a model may not say in its own words is said in the business's, where that answers.
    const rest = await theRest(around.grounded(turn, signal), reply, pack.words.termsOf);
    if (rest.isWhole && (hasBrokenOff || rest.isAnswer || waiting)) return yield* rest.events;
    isPersonal ||=
      rest.whole !== undefined && isOfOwnRecords({ ...rest.whole, role: 'assistant', content: '' });
    for (const text of rest.sentences) yield* reply.add({ text, isFollowed: false });
    // Where the reader goes on with what waits, it has asked for it.
    isAskedAgain =
      waiting !== null && rest.isAnswer && waitingForYes(turn, pendingAfter(rest.events)) !== null;
    if (!rest.isAnswer) yield* reply.add({ text: say.declined(voice), isFollowed: false });
  }
  // Neither a yes nor a no: it is asked for again, unless another wish was read back or something else is asked.
  if (waiting && !readBack && !isAskedAgain && !isWithheld && !asksOrConcludes(reply.text)) {
    isAskedAgain = true;
    for (const text of say.confirmAgain(voice, waiting.action.name, waiting.inputs, isAside))
      yield* reply.add({ text, isFollowed: false });
  }
  const found = await finding;
  // The last one left before it was known that none follows which may be said.
  const close = reply.length > 0 && !isWithheld ? say.acknowledged(voice) : say.declined(voice);
  yield* reply.end(close, readBack || isAskedAgain ? 'yes-or-no' : undefined);

  const text = reply.text;
  const outcome = replies.conclusionOf(text) ?? (message.needs.length > 0 ? 'answered' : 'social');
  const citations = [...passages.filter((_, n) => cited.has(n + 1)), ...quoted];
  const after: DialogueState = {
    ...state,
    pending: readBack
      ? toConfirm(readBack.unconfirmed)
      : isAskedAgain && waiting
        ? { ...waiting.pending, misses }
        : null,
    question: question.slice(-300) || state.question,
    section: found.section,
    isPersonal: isPersonal || outcome === 'handover',
  };
  yield {
    type: 'reply',
    text,
    citations:
      outcome !== 'answered' ? [] : citations.length > 0 ? citations : (found.saying?.citations ?? []),
    outcome,
    state: after,
    stateForOthers: stateForOthers(after),
  };
}

/** What a reply waits for. */
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

function* whole(text: string, outcome: Outcome): Generator<ReplyEvent> {
  yield { type: 'sentence', index: 0, text, isLast: true };
  yield { type: 'reply', text, citations: [], outcome };
}
