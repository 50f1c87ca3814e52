import { packOf } from '#server/languages/index';
import type { Voice } from '#server/languages/wording';
import type { Citation } from '#shared/conversations';
import { answersForAnother, type PendingAction } from '../actions/consent.ts';
import { SaidValues } from '../actions/inputs.ts';
import { beginAction, goOnAfter, goOnWithAction } from '../actions/reply.ts';
import { avoidanceCheck } from '../avoidance.ts';
import type { CustomerTurn } from '../contract.ts';
import { instructionsOf } from '../instructions.ts';
import { SURE } from '../knowledge/confidence.ts';
import { contradictionOf } from '../knowledge/contradiction.ts';
import { type Found, find, type Knowing } from '../knowledge/find.ts';
import { saidIn } from '../said.ts';
import { dangerOf } from './danger.ts';
import type { Draft, GroundedReply, Turn } from './draft.ts';
import { emergencyReply } from './emergency.ts';
import { handoverReply } from './handover.ts';
import { instructedReply } from './instructed.ts';
import { actMeant, asMeant } from './meant.ts';
import { picked } from './picked.ts';
import { socialReply } from './small-talk.ts';
import { answerTo, type DialogueState, type Pending, stateForOthers, stateFrom } from './state.ts';
import {
  furtherOf,
  keptQuestion,
  MAX_CONTEXT,
  placeOfRule,
  sectionAfter,
  tellable,
  traceOf,
} from './telling.ts';
import { askAbout, isAmbiguous, isVague, unsureReply } from './unsure.ts';

/** Confidence above which the result of a second question is told with the answer to the first. */
const ALSO = 0.4;
/** Questions of one message that are answered. */
const MAX_NEEDS = 2;
/** Statements that are not told again. */
const TOLD = 8;

export function voiceOf(turn: Pick<CustomerTurn, 'agent' | 'history'>): Voice {
  return {
    persona: packOf(turn.agent.language).personaOf(turn.agent),
    agentName: turn.agent.name,
    companyName: turn.agent.companyName,
    turn: turn.history.filter((m) => m.role === 'user').length,
  };
}

/**
 * Answers a turn only from the business's texts and its systems' answers, and shows when it is unsure.
 * @param timeZone of the business, an IANA name
 * @returns the reply; words said during an action come before it
 */
export async function* respondGrounded(
  knowing: Knowing,
  turn: CustomerTurn,
  signal: AbortSignal,
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): AsyncGenerator<string, GroundedReply> {
  const state = stateFrom(turn.history);
  const language = packOf(turn.agent.language);
  const message = language.messages.read(turn.text);
  const voice = voiceOf(turn);
  const instructions = instructionsOf(turn.agent);
  const avoids = avoidanceCheck(instructions, language.words);
  const values = new SaidValues(turn.text, language);
  const moment = { now: new Date(), timeZone };
  const around = { knowing, turn, state, language, message, values, voice, instructions, moment, signal };
  const first = await draftOf(around);
  const ahead = first.afterwards ? first.sentences.filter((sentence) => !avoids(sentence)) : [];
  yield* ahead;
  const draft = withoutAvoided(first.afterwards ? await first.afterwards() : first, avoids, () =>
    language.say.declined(voice),
  );
  const after: DialogueState = { ...state, pending: null, ...draft.state, ...toldBy(draft, state) };
  after.about = draft.topic || state.about;
  after.open = openAfter(draft, after, turn.text);
  after.isPersonal =
    state.pending?.is === 'action' ||
    after.pending?.is === 'action' ||
    first.afterwards !== undefined ||
    draft.outcome === 'handover' ||
    (state.isPersonal && message.acts.includes('repeat'));
  const sentences = draft.sentences.map((sentence) => sentence.trim()).filter(Boolean);
  return {
    sentences,
    text: [...ahead, ...sentences].join(' '),
    citations: [...(draft.citations ?? [])],
    outcome: draft.outcome,
    expects: draft.expects ?? answerTo(after.pending),
    state: after,
    stateForOthers: stateForOthers(after),
    ...(Object.keys(after.contact).length > 0 ? { contact: after.contact } : {}),
    ...(draft.topic ? { topic: draft.topic } : {}),
    ...(draft.leavesTo ? { leavesTo: draft.leavesTo } : {}),
    trace: [...(draft.trace ?? [])],
  };
}

/** Removes sentences with forbidden words; without any left, there is no answer. */
function withoutAvoided(draft: Draft, avoids: (sentence: string) => boolean, declined: () => string): Draft {
  const sentences = draft.sentences.filter((sentence) => !avoids(sentence));
  if (sentences.length === draft.sentences.length) return draft;
  return sentences.some((sentence) => sentence.trim() !== '')
    ? { ...draft, sentences }
    : { sentences: [declined()], outcome: 'declined', state: { pending: { is: 'colleague' } } };
}

/** The unanswered question: it stays open until one is answered or a colleague has it. */
function openAfter(
  { outcome, citations = [] }: Draft,
  { open, pending }: DialogueState,
  said: string,
): string | null {
  if (outcome === 'answered') return null;
  const isAbout = outcome === 'declined' || outcome === 'offered' || outcome === 'asked-back';
  return isAbout && (pending !== null || citations.length > 0) ? said.slice(0, MAX_CONTEXT) : open;
}

/** Told statements stay known for a few turns, so that a follow-up is not answered with them again. */
const toldBy = ({ citations = [] }: Draft, { told }: DialogueState): Pick<DialogueState, 'told'> => ({
  told: [...told, ...citations.map(({ text }) => text.slice(0, 200))].slice(-TOLD),
});

async function draftOf(given: Turn): Promise<Draft> {
  const { turn, state, language, voice } = given;
  const { say } = language;
  const danger = await dangerOf(given.knowing, turn, given.message, given.signal);
  if (danger) return emergencyReply(given, danger);
  // Whether an action runs is decided by the words alone.
  if (state.pending?.is === 'action') {
    const action = await goOnWithAction(given, state.pending);
    return action ?? besideAction(given, state.pending);
  }
  const message = await asMeant(given);
  const around = { ...given, message };
  // This yes or no answers a question to another person.
  if (state.pending === null && answersForAnother(turn, language))
    return { sentences: [say.askedAnother(voice)], outcome: 'social' };
  const handover = handoverReply(around);
  if (handover) return handover;
  const answer = state.pending ? await replyToPending(around, state.pending) : null;
  if (answer) return answer;
  // "Lovely, that's me sorted. Bye!": remarks with a farewell belong to it.
  const isFarewell = message.isStatement && message.acts.includes('goodbye');
  if (message.needs.length === 0 || isFarewell)
    return message.acts.includes('more') ? furtherReply(around) : socialReply(around);
  return (await instructedReply(around)) ?? (await beginAction(around)) ?? answerReply(around);
}

/** The rest of the last answer. */
function furtherReply({ state, language, voice }: Turn): Draft {
  const { further } = state;
  if (!further)
    return {
      sentences: language.say.nothingMore(voice),
      outcome: 'declined',
      state: { pending: { is: 'colleague' } },
    };
  return { ...further, outcome: 'answered', state: { further: null } };
}

/** Another topic in the middle of an action: after its answer, the action continues. */
async function besideAction(around: Turn, pending: PendingAction): Promise<Draft> {
  const other = await draftOf({ ...around, state: { ...around.state, pending: null } });
  return goOnAfter(around, pending, other) ?? other;
}

/** Null if the message does not answer the pending question. */
async function replyToPending(around: Turn, pending: Pending): Promise<Draft | null> {
  const { message, turn, language, voice } = around;
  const { say } = language;
  const isYes = message.acts.includes('yes') && message.needs.length === 0;
  const wantsMore = message.acts.includes('more') && message.needs.length === 0;
  const isNo =
    (message.acts.includes('no') || message.acts.includes('misunderstood')) && message.needs.length === 0;
  switch (pending.is) {
    case 'offer': {
      // An accepted offer is an answer; its remaining part is told now.
      if (isYes || (wantsMore && pending.rest))
        return {
          sentences: pending.rest ? say.confirmedWith(pending.rest.sentences) : [say.confirmed(voice)],
          outcome: 'answered',
          citations: [...pending.told.citations, ...(pending.rest?.citations ?? [])],
          topic: pending.told.topic,
        };
      if (isNo) return offerNext(around, pending);
      const at = await picked(
        around,
        turn.text,
        pending.others.map(({ topic }) => topic),
      );
      const chosen = at === null ? undefined : pending.others[at];
      return chosen
        ? {
            sentences: chosen.sentences,
            outcome: 'answered',
            citations: chosen.citations,
            topic: chosen.topic,
          }
        : null;
    }
    case 'choice': {
      if (isNo) return noneOfThese(around);
      const isOnly = isYes && pending.options.length === 1;
      const at = isOnly
        ? 0
        : await picked(
            around,
            turn.text,
            pending.options.map(({ label }) => label),
          );
      const option = at === null ? undefined : pending.options[at];
      if (!option) return isYes && !message.acts.includes('goodbye') ? askWhich(around, pending) : null;
      const answer = await find(
        around.knowing,
        turn.agent,
        {
          text: `${pending.question} ${turn.text.length > option.label.length ? turn.text : option.label}`,
          context: null,
          among: option.passages,
        },
        around.signal,
      );
      const found = { ...answer, asked: pending.question };
      if (!found.saying) return noneOfThese(around);
      if (found.confidence >= SURE) return answered(around, [found], pending.question);
      const { topic, sentences, citations } = tellable(found, language);
      const told = { topic, sentences, citations };
      return {
        sentences: say.toldOf(sentences),
        outcome: 'offered',
        citations: told.citations,
        topic: told.topic,
        trace: [traceOf(found)],
        state: {
          question: pending.question,
          section: found.section,
          pending: { is: 'offer', question: pending.question, told, others: [] },
        },
      };
    }
    case 'colleague':
      return isNo ? { sentences: [say.denied(voice)], outcome: 'social' } : null;
    case 'action':
      return null;
    case 'contact':
    case 'more':
      return isNo ? { sentences: [say.denied(voice)], outcome: 'social' } : null;
  }
}

/** A yes to several topics picks none. */
const askWhich = ({ language, voice }: Turn, pending: Extract<Pending, { is: 'choice' }>): Draft => ({
  sentences: language.say.askWhich(
    voice,
    pending.options.map(({ label }) => label),
  ),
  outcome: 'asked-back',
  state: { pending },
});

function offerNext(around: Turn, { question, others }: Extract<Pending, { is: 'offer' }>): Draft {
  const [next, ...rest] = others;
  if (!next) return noneOfThese(around);
  const { language, voice } = around;
  return {
    sentences: language.say.offerAnother(
      voice,
      language.telling.isNameable(next.topic) ? next.topic : '',
      next.sentences,
    ),
    outcome: 'offered',
    citations: next.citations,
    topic: next.topic,
    state: { pending: { is: 'offer', question, told: next, others: rest } },
  };
}

const noneOfThese = ({ language, voice }: Turn): Draft => ({
  sentences: language.say.noneOfThese(voice),
  outcome: 'declined',
  state: { pending: { is: 'colleague' } },
});

async function answerReply(given: Turn): Promise<Draft> {
  // A message that corrects part of the previous question asks it again.
  const corrects = contextOf(given.state) !== null && given.language.messages.isCorrection(given.turn.text);
  const around = corrects ? { ...given, message: { ...given.message, isStatement: false } } : given;
  const { knowing, turn, state, language, message, voice, signal } = around;
  const { questions, say } = language;
  const feeling = message.mood ? say.empathy(voice, message.mood) : '';
  const told = questions.withoutNegated(saidIn(message));
  const context = contextOf(state);
  const needs = message.needs.slice(0, MAX_NEEDS);
  const texts = needs.length > 1 ? needs.map(questions.withoutNegated) : [told];
  const found: Found[] = [];
  for (const [n, text] of texts.entries()) {
    const before = [context, ...texts.slice(0, n)].filter(Boolean).join(' ') || null;
    const asked = {
      text,
      context: before,
      section: state.section,
      isFocused: state.isFocused,
      about: state.about,
      isCorrection: corrects,
      // The correcting words show the part to replace.
      ...(texts.length === 1 ? { said: turn.text } : {}),
      goesOn: message.isStatement || corrects,
      told: corrects ? [] : state.told,
    };
    found.push(await find(knowing, turn.agent, asked, signal));
  }
  const [first] = found;
  const meant = await actMeant(around, found);
  if (meant) return socialReply({ ...around, message: { ...message, acts: [meant] } });
  if ([...message.needs, message.background].some(questions.needsOwnRecords))
    return ofOwnRecords(around, found, feeling);
  if (
    first &&
    ((message.isStatement && first.isNamed) ||
      (context === null && isVague(told, first, language, message.isStatement)))
  )
    return askAbout(around, first, told, feeling);
  if (first && context === null && questions.pointsNowhere(told) && isAmbiguous(first))
    return askAbout(around, first, told, feeling);
  const isTold = ({ saying }: Found) =>
    saying?.citations.every(({ text }) => state.told.includes(text.slice(0, 200))) ?? false;
  const sure = found.filter((one) => one.confidence >= SURE);
  // "It is for a wedding": the last rule applies to exactly that case, so it is repeated.
  const isCase = sure.some((one) => names(one, message, language));
  if (message.isStatement && sure.length > 0 && sure.every(isTold) && context !== null && !isCase)
    return {
      sentences: [feeling, ...say.nothingMore(voice)],
      outcome: 'declined',
      trace: found.map(traceOf),
      state: { pending: { is: 'colleague' } },
    };
  if (sure.length > 0) {
    const draft = answered(around, sure, told);
    const rest = found.filter((one) => !sure.includes(one));
    const near = rest.find(({ confidence, saying }) => saying && confidence >= ALSO);
    if (near) {
      const also = tellable(near, language);
      // Two questions with the same result are answered once.
      const further = also.sentences.filter((sentence) => !draft.sentences.includes(sentence));
      return {
        ...draft,
        sentences: [
          feeling,
          ...draft.sentences,
          ...(further.length > 0 ? say.alsoTold(also.topic, further) : []),
        ],
        citations: eachOnce([...(draft.citations ?? []), ...also.citations]),
      };
    }
    if (rest.length > 0)
      return { ...draft, sentences: [feeling, ...draft.sentences, say.declinedPart(voice)] };
    return { ...draft, sentences: [feeling, ...draft.sentences] };
  }
  const best = found.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  const unsure = unsureReply(around, best, told);
  return { ...unsure, sentences: [feeling, ...unsure.sentences] };
}

/** Whether the answer contains a word that the customer told. */
function names({ saying }: Found, message: Turn['message'], { words }: Turn['language']): boolean {
  const told = new Set(words.termsOf(saying?.sentences.join(' ') ?? ''));
  return words.termsOf(saidIn(message)).some((term) => told.has(term));
}

/** Refers to the customer's own records, with the general rule if it is surely known. */
function ofOwnRecords(
  { turn, state, language, voice }: Turn,
  found: readonly Found[],
  feeling: string,
): Draft {
  const { messages, questions, say } = language;
  // A general rule is useful only if it is of the requested kind: "when" is not answered with a price.
  const general = found
    .filter(({ confidence }) => confidence >= SURE)
    .map((one) => tellable(one, language))
    .filter(({ sentences }) => questions.hasAskedKind(turn.text, sentences.join(' ')) !== false);
  return {
    sentences: [
      feeling,
      ...say.cannotSee(voice, [...new Set(general.flatMap(({ sentences }) => sentences))]),
    ],
    citations: general.flatMap(({ citations }) => citations),
    outcome: 'declined',
    trace: found.map(traceOf),
    state: {
      pending: { is: 'colleague' },
      question: turn.text.slice(0, MAX_CONTEXT),
      contact: { ...messages.contactIn(turn.text, null), ...state.contact },
    },
  };
}

const eachOnce = (citations: readonly Citation[]): Citation[] =>
  citations.filter(
    ({ source, text }, at) =>
      citations.findIndex((other) => other.source === source && other.text === text) === at,
  );

const contextOf = ({ question, pending }: DialogueState): string | null =>
  pending && 'question' in pending ? pending.question : question;

function answered({ state, language }: Turn, found: readonly Found[], asked: string): Draft {
  const tellables = found.map((one) => tellable(one, language, placeOfRule(one)));
  const [first] = tellables;
  const other = found[0] ? contradictionOf(found[0], language.words) : null;
  return {
    sentences: [
      ...new Set(tellables.flatMap(({ sentences }) => sentences)),
      ...(other ? language.say.elsewhere(first?.citations[0]?.source ?? '', other) : []),
    ],
    citations: eachOnce([...tellables.flatMap(({ citations }) => citations), ...(other ? [other] : [])]),
    outcome: 'answered',
    topic: first?.topic ?? '',
    trace: found.map(traceOf),
    state: {
      ...keptQuestion(state, found[0], asked),
      section: sectionAfter(state, found[0]),
      unanswered: 0,
      further: found[0] && first ? furtherOf(found[0], first, language) : null,
    },
  };
}
