import type { LanguageEngine } from '#server/engines/language/contract';
import { phrasesElsewhere } from '#server/languages/elsewhere';
import { isOfPack, packOf } from '#server/languages/index';
import type { Citation } from '#shared/conversations';
import { answersForAnother, consentTo, waitingForYes } from '../actions/consent.ts';
import { MAX_MISSES } from '../actions/reply.ts';
import type { ActionTools, ToolResult, Unconfirmed } from '../actions/tools.ts';
import { avoidanceCheck } from '../avoidance.ts';
import type { CustomerTurn, ReplyEvent } from '../contract.ts';
import { instructionsOf } from '../instructions.ts';
import type { Saying } from '../knowledge/choose.ts';
import { SURE } from '../knowledge/confidence.ts';
import { find, type Knowing } from '../knowledge/find.ts';
import { dangerOf } from '../manners/danger.ts';
import { handoverReply } from '../manners/handover.ts';
import { actMeant } from '../manners/meant.ts';
import { voiceOf } from '../manners/reply.ts';
import { type DialogueState, isOfOwnRecords, stateForOthers, stateFrom } from '../manners/state.ts';
import { saidIn } from '../said.ts';
import { isWrittenIn } from '../written-in.ts';
import { admissionBy } from './admission.ts';
import { anotherSentence, instead } from './another-sentence.ts';
import { askInOrder, textOf } from './ask-models.ts';
import { begunAhead } from './begun-ahead.ts';
import { closerLookBy } from './closer-look.ts';
import { withColleague } from './colleague-tool.ts';
import { asks, conclusionOf } from './conclusion.ts';
import { disclosureCheck } from './guardrails.ts';
import { judgeBy } from './judge.ts';
import { Judgements } from './judgements.ts';
import { ModelUses } from './model-uses.ts';
import { passagesFor } from './passages-for.ts';
import { makeInstructions, makeKnowledge, rules, tellMoment, toChatMessage } from './prompts.ts';
import { quoteFor } from './quote.ts';
import { ReplySentences } from './reply-sentences.ts';
import { newBeside, theRest } from './rest.ts';
import { type StreamedSentence, sentencesFrom } from './sentence-stream.ts';
import { verdictOf } from './verdict.ts';

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
  /** IANA name of the business's time zone. */
  timeZone: string;
  /** The embedded reader, which answers where no model does. */
  grounded(turn: CustomerTurn, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** What the turn's agent can do, as tools. */
  toolsOf(turn: CustomerTurn): ActionTools;
  onFailure(model: string, error: unknown): void;
  /** A sentence was not said, for `reason`. */
  onWithheld(model: string, reason: string): void;
}

/**
 * Lets a language model answer from the passages that the search finds. Its words are cleaned, and each sentence is judged before it
 * is said (`admission.ts`). For one that may not be said the model is asked for another, and then the business itself is quoted,
 * where it has an answer. Where a model fails the next one is asked, and in the end the embedded reader, which also says the rest
 * where one broke off. Never fails for a model's sake.
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
  const { agent, text } = turn;
  const pack = packOf(agent.language);
  const { messages: customer, replies, say, splitSentences } = pack;
  const message = customer.read(text);
  const voice = voiceOf(turn);
  const state = stateFrom(turn.history);
  const waiting = waitingForYes(turn, state.pending);
  const isAside = message.needs.length > 0 && !message.isStatement;
  // Of what is remarked, what it means may be none of the business's: a moment is waited for, a farewell met.
  const meant = message.isStatement
    ? await actMeant({ knowing: around.knowing, turn, message, language: pack, signal }, KNOWN)
    : null;
  const does = (act: 'wait' | 'goodbye') =>
    meant === act || (message.needs.length === 0 && message.acts.includes(act));
  const misses = waiting ? waiting.pending.misses + (isAside ? 0 : 1) : 0;
  // In danger everybody is answered alike, and an attack reaches no model. What was read back is done, or not, by the customer's word alone, and what they leave to be
  // reached by is kept and read back by the same code as without a model.
  const isReaders =
    (await dangerOf(around.knowing, turn, message, signal)) !== null ||
    message.acts.includes('injection') ||
    does('wait') ||
    misses >= MAX_MISSES ||
    answersForAnother(turn, pack) ||
    (state.pending?.is === 'action' && consentTo(turn, state.pending, pack) !== null) ||
    handoverReply({ turn, state, language: pack, message, voice }) !== null;
  if (isReaders) return yield* around.grounded(turn, signal);

  const question = saidIn(message) || text;
  const isOwnLanguage = isOfPack(agent.language) && isWrittenIn(text, pack.words);
  const context = state.question;
  around.knowing.reading?.prepareEntailment();
  // How sure the search is, is needed when something is to be said, which takes a model longer.
  const finding = find(around.knowing, agent, { text: question, context, section: state.section }, signal);
  finding.catch(() => {});
  const { passages, statements } = await passagesFor(
    around.knowing,
    agent,
    { text: question, context },
    signal,
  );
  const moment = { now: new Date(), timeZone: around.timeZone, channel: turn.channel, speaker: turn.speaker };
  const surroundings = tellMoment(moment);
  const customerSaid = [
    ...turn.history.filter(({ role }) => role === 'user').map(({ content }) => content),
    text,
  ];

  const instructions = instructionsOf(agent);
  const { goodbye, answers, handsOver } = instructions;
  const discloses = disclosureCheck(agent, [...rules, ...agent.prompts, ...handsOver].join('\n'));
  const avoids = avoidanceCheck(instructions, pack.words);
  const decided = [...answers.map(({ say }) => say), ...(goodbye ? [goodbye] : [])];
  const results: ToolResult[] = [];
  const look = closerLookBy(around.knowing.reading, signal);
  const judging = new Judgements(async () => {
    const sources = {
      told: [...statements, ...agent.prompts, ...decided, ...results.flatMap(({ told }) => told)],
      passages: passages.map(({ source, text }) => `${source}: ${text}`),
      everything: () => agent.companyInfo,
      customer: customerSaid,
      names: [agent.name, agent.companyName],
      question,
      isOwnLanguage,
      today: moment.now,
      isKnown: (await finding).confidence >= KNOWN,
      hasActed: results.some(({ told }) => told.length > 0),
    };
    return judgeBy(pack, sources, look);
  });
  /** Why a sentence of a model may not be said; null where it may. */
  const reasonAgainst = async (model: LanguageEngine, { text, cited }: StreamedSentence) =>
    avoids(text)
      ? 'the business never wants it said'
      : admissionBy(model.checking, await judging.judge(), (sentence, evidence) =>
          verdictOf(
            model,
            sentence,
            { evidence, customer: customerSaid, now: surroundings },
            used(model),
            signal,
          ),
        )(text, cited);
  const used = (model: LanguageEngine) => (tokens: { input: number; output: number }) =>
    uses.add(model.name, tokens);

  const shown = turn.history.slice(-REMEMBERED).filter(({ content }) => content !== '');
  // Whatever a model says after it has seen somebody's records may be of them.
  let isPersonal = state.pending?.is === 'action' || shown.some(isOfOwnRecords);
  const request = {
    instructions: makeInstructions(agent),
    knowledge: makeKnowledge(passages, surroundings),
    messages: [...shown.map(toChatMessage), { role: 'user' as const, content: text }],
  };
  const colleague = withColleague(around.toolsOf(turn), state.contact);
  const reply = new ReplySentences();
  const cited = new Set<number>();
  const heard = new Set<string>();
  const quoted: Citation[] = [];
  let repeats = 0;
  let isWithheld = false;
  let hasBrokenOff = true;
  let hasStated = false;
  let speaking: LanguageEngine | null = null;
  let isAskedForAnother = false;
  let isAskedAgain = false;
  let quoting: Promise<Saying | null> | null = null;
  const enough = new AbortController();
  const asked = askInOrder(around, AbortSignal.any([signal, enough.signal]), (model) => {
    const stop = new AbortController();
    const asking = { ...request, signal: AbortSignal.any([signal, stop.signal, enough.signal]) };
    const text = textOf(model, asking, model.checking === 'strict' ? around.toolsOf(turn) : colleague, {
      onUsed: used(model),
      onResult(result) {
        isPersonal = true;
        results.push(result);
        judging.forget();
      },
    });
    const sentences = sentencesFrom(text, splitSentences, (likely) => void judging.prepare(likely));
    return { sentences, stop };
  });
  const judged = begunAhead(
    asked,
    ({ model, sentence }) => {
      const reason = sentence ? reasonAgainst(model, sentence) : Promise.resolve(null);
      reason.catch(() => {});
      return reason;
    },
    () => enough.abort(new Error('Enough was said.')),
  );
  for await (const { item, work } of judged) {
    const { model, sentence } = item;
    if (sentence === null) {
      hasBrokenOff = false;
      break;
    }
    speaking = model;
    if (heard.has(sentence.text)) {
      repeats++;
      if (repeats < MAX_REPEATS) continue;
      hasBrokenOff = false;
      break;
    }
    heard.add(sentence.text);
    if (discloses(sentence.text)) {
      around.onWithheld(model.name, 'its instructions');
      isWithheld = true;
      hasBrokenOff = false;
      break;
    }
    const reason = await work;
    if (reason === null) {
      for (const number of sentence.cited) cited.add(number);
      hasStated ||= !judging.isFree(sentence.text, sentence.cited);
      yield* reply.add(sentence);
    } else {
      around.onWithheld(model.name, reason);
      isWithheld = true;
      const other = isAskedForAnother ? null : await inItsPlace(model, sentence.text);
      isAskedForAnother = true;
      if (other) {
        for (const number of other.cited) cited.add(number);
        hasStated = true;
        yield* reply.add({ ...other, isFollowed: sentence.isFollowed });
      } else if (!hasStated) yield* quote(sentence);
    }
    // A quotation may be several sentences.
    if (reply.length >= MAX_SENTENCES - 1) {
      hasBrokenOff = false;
      break;
    }
  }
  signal.throwIfAborted();

  const readBack = results.find(({ ask }) => ask)?.ask;
  const done = results.flatMap(({ told: [first] }) => (first ? [first] : []));
  for (const text of readBack?.sentences ?? []) yield* reply.add({ text, cited: [], isFollowed: false });
  if (!readBack && done.length > 0 && reply.length === 0) {
    // It called what it wanted, and then had nothing to say of it that may be said.
    for (const text of done) yield* reply.add({ text, cited: [], isFollowed: false });
    hasStated = true;
  } else if (!readBack && done.length === 0 && (hasBrokenOff || isWithheld || reply.length === 0)) {
    const mayDecline = !hasStated && !asks(reply.text);
    if (hasBrokenOff || mayDecline) {
      // The reader quotes: what a model may not say in its own words is said in the business's, where that answers.
      const rest = await theRest(around.grounded(turn, signal), reply, pack.words.termsOf);
      if (rest.isWhole && (hasBrokenOff || rest.isAnswer || waiting || message.needs.length === 0))
        return yield* rest.events;
      isPersonal ||=
        rest.whole !== undefined && isOfOwnRecords({ ...rest.whole, role: 'assistant', content: '' });
      const sentences = rest.isAnswer && !hasStated ? rest.sentences : hasBrokenOff ? rest.sentences : [];
      for (const text of sentences) yield* reply.add({ text, cited: [], isFollowed: false });
      // Where the reader goes on with what waits, it has asked for it.
      isAskedAgain =
        waiting !== null && sentences.length > 0 && waitingForYes(turn, pendingAfter(rest.events)) !== null;
      if (sentences.length > 0) quoted.push(...rest.citations);
      else if (mayDecline) {
        cited.add(0);
        yield* reply.add({ text: await declined(), cited: [], isFollowed: false });
      }
    }
  }
  // Neither a yes nor a no: it is asked for again, unless another wish was read back or something else is asked.
  // What a model that puts no [0] behind it says in words, where they are read.
  if (cited.size === 0 && quoted.length === 0 && replies.conclusionOf(reply.text) === 'declined')
    cited.add(0);
  const isConcluded = cited.has(0) || asks(reply.text) || replies.conclusionOf(reply.text) !== null;
  if (waiting && !readBack && !isAskedAgain && !isWithheld && !isConcluded) {
    isAskedAgain = true;
    for (const text of say.confirmAgain(voice, waiting.action.name, waiting.inputs, isAside))
      yield* reply.add({ text, cited: [], isFollowed: false });
  }
  const found = await finding;
  yield* reply.end(
    reply.length > 0
      ? ((isOwnLanguage ? null : phrasesElsewhere(agent.language)?.anythingElse) ?? say.anythingElse(voice))
      : say.declined(voice),
    readBack || isAskedAgain ? 'yes-or-no' : undefined,
  );

  const outcome = conclusionOf({
    isReadBack: readBack !== undefined || (isAskedAgain && !hasStated),
    isHandedOver: colleague.left !== null,
    cited,
    hasAnswered: quoted.length > 0 || done.length > 0,
    hasStated,
    isAsked: message.needs.length > 0,
    isKnown: found.confidence >= KNOWN,
    text: reply.text,
  });
  const citations = [...passages.filter((_, n) => cited.has(n + 1)), ...quoted];
  const contact = { ...state.contact, ...colleague.left };
  const after: DialogueState = {
    ...state,
    contact,
    isHandedOver: state.isHandedOver || colleague.left !== null,
    pending: pendingNow(),
    question: question.slice(-300) || state.question,
    section: found.section,
    isPersonal: isPersonal || outcome === 'handover',
  };
  const isFarewell =
    does('goodbye') && !message.acts.includes('yes') && after.pending === null && !asks(reply.text);
  yield {
    type: 'reply',
    text: reply.text,
    citations:
      outcome !== 'answered' ? [] : citations.length > 0 ? citations : (found.saying?.citations ?? []),
    outcome,
    ...(Object.keys(contact).length > 0 ? { contact } : {}),
    ...(isFarewell ? { leavesTo: 'end' as const } : {}),
    state: after,
    stateForOthers: stateForOthers(after),
  };

  /** What the reply waits for. */
  function pendingNow(): DialogueState['pending'] {
    if (readBack) return toConfirm(readBack.unconfirmed);
    if (isAskedAgain && waiting) return { ...waiting.pending, misses };
    return cited.has(0) && outcome === 'declined' ? { is: 'colleague' } : null;
  }

  /** Another sentence of the model's, for one that may not be said. */
  async function inItsPlace(model: LanguageEngine, sentence: string): Promise<StreamedSentence | null> {
    const other = await anotherSentence(
      model,
      request,
      { said: reply.text, wish: instead.of(sentence) },
      splitSentences,
      used(model),
      signal,
    );
    if (!other || other.cited.includes(0) || heard.has(other.text) || discloses(other.text)) return null;
    heard.add(other.text);
    return (await reasonAgainst(model, other)) === null ? other : null;
  }

  /** What the business says of what the customer asked, where a sentence may not be said. */
  async function* quote({ text, isFollowed }: StreamedSentence): AsyncGenerator<ReplyEvent> {
    const { confidence, saying } = await finding;
    if (confidence < KNOWN || avoids(text)) return;
    quoting ??= around.knowing.reading
      ? quoteFor(around.knowing, agent, question, signal)
      : Promise.resolve(saying);
    const said = await quoting;
    if (!said) return;
    const isNew = newBeside(reply.text, pack.words.termsOf);
    const sentences = said.sentences.filter((each) => isNew(each) && !avoids(each));
    for (const each of sentences) yield* reply.add({ text: each, cited: [], isFollowed });
    if (sentences.length === 0) return;
    quoted.push(...said.citations);
    hasStated = true;
  }

  /** That it is not known, in the customer's language where the model that spoke can say it. */
  async function declined(): Promise<string> {
    if (isOwnLanguage) return say.declined(voice);
    const wish = { said: reply.text, wish: instead.ofAnAnswer };
    const other =
      speaking && (await anotherSentence(speaking, request, wish, splitSentences, used(speaking), signal));
    return other && !discloses(other.text) && !avoids(other.text)
      ? other.text
      : (phrasesElsewhere(agent.language)?.declined ?? say.declined(voice));
  }
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
