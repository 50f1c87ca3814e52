import type { Citation, Contact, Outcome } from '#shared/conversations';
import type { CustomerTurn, WholeReply } from '../contract.ts';
import { contradictionOf } from '../knowledge/contradiction.ts';
import { type Found, find, type Knowing } from '../knowledge/find.ts';
import { welcomeTopics } from '../welcome-topics.ts';
import { splitSentences } from '../words/sentences.ts';
import { termsOf } from '../words/tokens.ts';
import { type Act, type ReadMessage, readMessage } from './acts.ts';
import { contactIn, correctedName } from './contact.ts';
import { emergencyReply } from './emergency.ts';
import { needsOwnRecords } from './own-records.ts';
import { readPersona } from './persona.ts';
import { picked } from './picked.ts';
import { type DialogueState, type Pending, stateFrom, type Tellable } from './state.ts';
import { topicOf } from './topics.ts';
import * as say from './wording.ts';

/** Above it the answer is given, above the second it is offered; by the dev sets, see docs/dialogue.md. */
const SURE = 0.58;
const LIKELY = 0.2;
/** Above it what is near the second of two questions is told with the answer to the first. */
const ALSO = 0.4;
/** Below it nothing in the knowledge is near enough to be named. */
const NEAR = 0.1;
/** Logit below which a passage has nothing to do with the question. */
const NO_BEARING = -10.5;
/** Longer questions may be stories told in other words. */
const FEW_WORDS = 3;
/** Topics that a question back names, and passages looked through for them. */
const NAMED = 3;
const LOOKED_THROUGH = 8;
/** Passages named beside the one that is offered. */
const OTHERS = 2;
/** A question with so few words that tell anything is too vague to be looked up where they are common ones. */
const VAGUE_WORDS = 1;
/** Passages bear on a question alike when their relevance differs by no more logits. */
const ALIKE = 3;
/** A remark of so few words is waited for to go on. */
const REMARK_WORDS = 10;
/** Questions of one message that are answered. */
const MAX_NEEDS = 2;
/** Statements that are not told again. */
const TOLD = 8;
/** Characters of an earlier question that later ones may lean on. */
const MAX_CONTEXT = 300;

export interface GroundedReply extends WholeReply {
  sentences: string[];
  /** For the evaluation's print-out. */
  trace: string[];
}

/** What a reply consists of before it is put together. */
export interface Draft {
  sentences: readonly string[];
  outcome: Outcome;
  citations?: readonly Citation[];
  /** What changes in the state; nothing is asked of the customer unless it says so. */
  state?: Partial<DialogueState>;
  topic?: string;
  trace?: readonly string[];
}

export function voiceOf(turn: Pick<CustomerTurn, 'agent' | 'history'>): say.Voice {
  return {
    persona: readPersona(turn.agent),
    agentName: turn.agent.name,
    companyName: turn.agent.companyName,
    turn: turn.history.filter((m) => m.role === 'user').length,
  };
}

/** Answers a turn from what the business wrote and nothing else, with the manners of somebody who may be unsure. */
export async function respondGrounded(
  knowing: Knowing,
  turn: CustomerTurn,
  signal: AbortSignal,
): Promise<GroundedReply> {
  const state = stateFrom(turn.history);
  const message = readMessage(turn.text);
  const voice = voiceOf(turn);
  const draft = await draftOf({ knowing, turn, state, message, voice, signal });
  const after: DialogueState = { ...state, pending: null, ...draft.state, ...toldBy(draft, state) };
  const sentences = draft.sentences.map((sentence) => sentence.trim()).filter(Boolean);
  return {
    sentences,
    text: sentences.join(' '),
    citations: [...(draft.citations ?? [])],
    outcome: draft.outcome,
    state: after,
    ...(Object.keys(after.contact).length > 0 ? { contact: after.contact } : {}),
    ...(draft.topic ? { topic: draft.topic } : {}),
    trace: [...(draft.trace ?? [])],
  };
}

/** What was told stays known for a few turns, so that a follow-up is not answered with it once more. */
const toldBy = ({ citations = [] }: Draft, { told }: DialogueState): Pick<DialogueState, 'told'> => ({
  told: [...told, ...citations.map(({ text }) => text.slice(0, 200))].slice(-TOLD),
});

interface Turn {
  knowing: Knowing;
  turn: CustomerTurn;
  state: DialogueState;
  message: ReadMessage;
  voice: say.Voice;
  signal: AbortSignal;
}

async function draftOf(around: Turn): Promise<Draft> {
  const { knowing, turn, state, message, voice, signal } = around;
  if (message.danger) return emergencyReply(knowing, turn, message.danger, voice, signal);
  if (message.acts.includes('injection')) return { sentences: [say.injection(voice)], outcome: 'declined' };
  const handover = handoverReply(around);
  if (handover) return handover;
  const answer = state.pending ? await replyToPending(around, state.pending) : null;
  if (answer) return answer;
  if (message.needs.length === 0) return socialReply(around);
  return answerReply(around);
}

// ---- a colleague gets back to them ------------------------------------------------------------------------------------

/** When they want a colleague, or leave how they can be reached. */
function handoverReply({ turn, state, message, voice }: Turn): Draft | null {
  const { pending } = state;
  const asked = pending?.is === 'contact' ? pending.asked : null;
  const given = contactIn(turn.text, asked);
  const wants =
    message.acts.includes('handover') || (pending?.is === 'colleague' && message.acts.includes('yes'));
  const leaves = Boolean(given.phone ?? given.email) || (asked !== null && Boolean(given.name));
  const name = state.isHandedOver && state.contact.name ? correctedName(state.contact.name, turn.text) : null;
  if (name)
    return {
      sentences: ['Sorry.', say.corrected(name)],
      outcome: 'handover',
      state: { contact: { ...state.contact, name } },
    };
  const isBare = leaves && termsOf(turn.text.replace(given.phone ?? given.email ?? '', '')).length === 0;
  if (!wants && !isBare && !(leaves && (asked !== null || pending?.is === 'colleague' || state.isHandedOver)))
    return null;
  const contact: Contact = { ...state.contact, ...given };
  if (state.question && !contact.note) contact.note = state.question.slice(0, 500);
  const feeling = wants && message.mood ? say.empathy(voice, message.mood) : '';
  if (!contact.phone && !contact.email)
    return {
      sentences: say.askHowToReach(voice, feeling),
      outcome: 'handover',
      state: { contact, isHandedOver: true, pending: { is: 'contact', asked: 'phone' } },
    };
  const isNew = Boolean(given.phone ?? given.email ?? given.name) || !state.isHandedOver;
  const sentences = isNew ? say.handedOver(contact) : [say.alreadyHandedOver(voice)];
  const isNameless = !contact.name && asked !== 'name';
  return {
    sentences: [feeling, ...sentences, ...(isNameless ? [say.askName(voice)] : [])],
    outcome: 'handover',
    state: {
      contact,
      isHandedOver: true,
      ...(isNameless ? { pending: { is: 'contact', asked: 'name' } as const } : {}),
    },
  };
}

// ---- what was asked of them ---------------------------------------------------------------------------------------------

/** Null when the message is no answer to what was asked. */
async function replyToPending(around: Turn, pending: Pending): Promise<Draft | null> {
  const { message, turn, voice } = around;
  const isYes = message.acts.includes('yes') && message.needs.length === 0;
  const isNo =
    (message.acts.includes('no') || message.acts.includes('misunderstood')) && message.needs.length === 0;
  switch (pending.is) {
    case 'offer': {
      if (isYes)
        return {
          sentences: [say.confirmed(voice)],
          outcome: 'answered',
          citations: pending.told.citations,
          topic: pending.told.topic,
        };
      if (isNo) return offerNext(around, pending);
      const at = await picked(
        around.knowing.reading,
        turn.text,
        pending.others.map(({ topic }) => topic),
        around.signal,
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
      if (isNo) return noneOfThese(voice);
      const at = await picked(
        around.knowing.reading,
        turn.text,
        pending.options.map(({ label }) => label),
        around.signal,
      );
      const option = at === null ? undefined : pending.options[at];
      if (!option) return null;
      const found = await find(
        around.knowing,
        turn.agent,
        {
          text: `${pending.question} ${turn.text.length > option.label.length ? turn.text : option.label}`,
          context: null,
          among: option.passages,
        },
        around.signal,
      );
      if (!found.saying) return noneOfThese(voice);
      if (found.confidence >= SURE) return answered(around, [found], pending.question);
      const told = tellable(found);
      return {
        sentences: say.toldOf(option.label, told.sentences),
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
    case 'contact':
    case 'more':
      return isNo ? { sentences: [say.denied(voice)], outcome: 'social' } : null;
  }
}

function offerNext({ voice }: Turn, { question, others }: Extract<Pending, { is: 'offer' }>): Draft {
  const [next, ...rest] = others;
  if (!next) return noneOfThese(voice);
  return {
    sentences: say.offerAnother(
      voice,
      next.topic,
      next.sentences,
      rest.map(({ topic }) => topic),
    ),
    outcome: 'offered',
    citations: next.citations,
    topic: next.topic,
    state: { pending: { is: 'offer', question, told: next, others: rest } },
  };
}

const noneOfThese = (voice: say.Voice): Draft => ({
  sentences: say.noneOfThese(voice),
  outcome: 'declined',
  state: { pending: { is: 'colleague' } },
});

// ---- small talk ---------------------------------------------------------------------------------------------------------

/** What is said when nothing was asked; the weightiest act decides. */
function socialReply({ turn, message, voice }: Turn): Draft {
  const lines: [Act, () => string, Outcome][] = [
    ['advice', () => say.advice(voice), 'declined'],
    ['outside', () => say.joke(voice), 'declined'],
    ['misunderstood', () => say.misunderstood(voice), 'asked-back'],
    ['repeat', () => lastSaid(turn) ?? say.misunderstood(voice), 'social'],
    ['wait', () => say.takeYourTime(voice), 'social'],
    ['abuse', () => say.abuse(voice), 'social'],
    ['are-you-human', () => say.areYouHuman(voice), 'social'],
    ['who-are-you', () => say.whoAreYou(voice), 'social'],
    ['what-can-you-do', () => say.whatCanYouDo(voice, welcomeTopics(turn.agent)), 'social'],
    ['how-are-you', () => say.howAreYou(voice), 'social'],
    ['goodbye', () => say.goodbye(voice), 'social'],
    ['thanks', () => say.thanks(voice), 'social'],
    ['compliment', () => say.compliment(voice), 'social'],
    ['greeting', () => say.greeting(voice), 'social'],
    ['yes', () => say.acknowledged(voice), 'social'],
    ['no', () => say.denied(voice), 'social'],
  ];
  const line = lines.find(([act]) => message.acts.includes(act));
  if (!line)
    return message.mood
      ? { sentences: [say.empathy(voice, message.mood), ...say.askWhat(voice, [])], outcome: 'asked-back' }
      : { sentences: [say.greeting(voice)], outcome: 'social' };
  const [, text, outcome] = line;
  return { sentences: splitSentences(text()), outcome };
}

/** What the agent said last, of an interrupted reply what was heard. */
const lastSaid = (turn: CustomerTurn): string | undefined =>
  turn.history.findLast((m) => m.role === 'assistant' && m.content !== '')?.content;

// ---- questions ----------------------------------------------------------------------------------------------------------

async function answerReply(around: Turn): Promise<Draft> {
  const { knowing, turn, state, message, voice, signal } = around;
  const feeling = message.mood ? say.empathy(voice, message.mood) : '';
  if (message.acts.includes('advice'))
    return { sentences: splitSentences(say.advice(voice)), outcome: 'declined' };
  if (message.needs.some(needsOwnRecords) || (message.background && needsOwnRecords(message.background)))
    return {
      sentences: [feeling, ...say.cannotSee(voice)],
      outcome: 'declined',
      state: {
        pending: { is: 'colleague' },
        question: turn.text.slice(0, MAX_CONTEXT),
        contact: { ...contactIn(turn.text, null), ...state.contact },
      },
    };
  const told = withoutNegated([message.background, ...message.needs].filter(Boolean).join(' '));
  const context = contextOf(state);
  const needs = message.needs.slice(0, MAX_NEEDS);
  const texts = needs.length > 1 ? needs.map(withoutNegated) : [told];
  const found: Found[] = [];
  for (const [n, text] of texts.entries()) {
    const before = [context, ...texts.slice(0, n)].filter(Boolean).join(' ') || null;
    const asked = {
      text,
      context: before,
      section: state.section,
      isFocused: state.isFocused,
      goesOn: message.isStatement,
      told: state.told,
    };
    found.push(await find(knowing, turn.agent, asked, signal));
  }
  const [first] = found;
  if (first && ((message.isStatement && first.isNamed) || (context === null && isVague(told, first))))
    return askAbout(around, first, told, feeling);
  if (first && context === null && pointsNowhere(told) && isAmbiguous(first))
    return askAbout(around, first, told, feeling);
  const isTold = ({ saying }: Found) =>
    saying?.citations.every(({ text }) => state.told.includes(text.slice(0, 200))) ?? false;
  const sure = found.filter((one) => one.confidence >= SURE);
  if (message.isStatement && sure.length > 0 && sure.every(isTold) && context !== null)
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
      const also = tellable(near);
      return {
        ...draft,
        sentences: [feeling, ...draft.sentences, ...say.alsoTold(also.topic, also.sentences)],
        citations: [...(draft.citations ?? []), ...also.citations],
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

/** "Not a refund, just cancel": what is expressly not meant is not looked for. */
const withoutNegated = (text: string): string => {
  const meant = text.replace(
    /\b(?:not|no,? not) (?:about )?(?:the |an? |my )?(?:[\w'-]+ ){1,4}?(?:again)?[,;:–-] ?(?:(?:but|i) )?(?=(?:just|only|but|rather|instead|i want|i mean)\b)/i,
    '',
  );
  return termsOf(meant).length > 0 ? meant : text;
};

const contextOf = ({ question, pending }: DialogueState): string | null =>
  pending && 'question' in pending ? pending.question : question;

function answered({ state }: Turn, found: readonly Found[], asked: string): Draft {
  const tellables = found.map((one) => tellable(one));
  const other = found[0] ? contradictionOf(found[0]) : null;
  return {
    sentences: [
      ...new Set(tellables.flatMap(({ sentences }) => sentences)),
      ...(other ? say.elsewhere(tellables[0]?.citations[0]?.source ?? '', other) : []),
    ],
    citations: [...tellables.flatMap(({ citations }) => citations), ...(other ? [other] : [])],
    outcome: 'answered',
    topic: tellables[0]?.topic ?? '',
    trace: found.map(traceOf),
    state: {
      ...keptQuestion(state, found[0], asked),
      section: found[0]?.section ?? state.section,
      unanswered: 0,
    },
  };
}

/** Words by which people say that there is something without saying what. */
const empty = new Set(
  termsOf(
    'problem problems issue issues trouble wrong broken stuck help something sort matter happened work working',
  ),
);

function isVague(text: string, { isCommon }: Found): boolean {
  const terms = termsOf(text).filter((term) => !empty.has(term));
  return terms.length === 0 || (terms.length <= VAGUE_WORDS && isCommon);
}

/** "That mission", "this library": something pointed at that nobody has named. */
const pointsNowhere = (text: string) =>
  /\b(?:this|that|these|those) (?!(?:i|you|we|they|he|she|it|is|are|was|were|be|do|does|did|have|has|had|will|would|should|could|can|cost|costs|work|works|happen|happens|count|counts|include|includes|apply|applies|take|takes|means?|all|one|much|many|long|way|time|week|month|year|morning|afternoon|evening|weekend|summer|winter)\b)[a-z]+/i.test(
    text,
  );

/** Several passages under headings of their own bear on it alike. */
function isAmbiguous({ ranked }: Found): boolean {
  const [best, ...others] = ranked;
  return others
    .slice(0, NAMED)
    .some(
      ({ passage, relevance }) =>
        passage.headings.join() !== best?.passage.headings.join() &&
        (relevance ?? -11) > 0 &&
        (best?.relevance ?? -11) - (relevance ?? -11) < ALIKE,
    );
}

/** Asks which of the topics it is about that are nearest to what was said. */
function askAbout({ voice, state }: Turn, found: Found, asked: string, feeling: string): Draft {
  const options = optionsOf(found);
  const question = asked.slice(-MAX_CONTEXT);
  // Only what it is about was named: "I would like to ask about the Harbor Court."
  if (found.isNamed)
    return {
      sentences: [feeling, say.askWhatAbout(found.section ?? '')],
      outcome: 'asked-back',
      trace: [traceOf(found)],
      state: {
        question,
        own: question,
        section: found.section,
        isFocused: true,
        pending: { is: 'more', question },
      },
    };
  return {
    sentences: [
      feeling,
      ...say.askWhat(
        voice,
        options.map(({ label }) => label),
      ),
    ],
    outcome: 'asked-back',
    trace: [traceOf(found)],
    state: {
      question,
      own: question,
      section: found.section ?? state.section,
      unanswered: state.unanswered + 1,
      pending: options.length > 1 ? { is: 'choice', question, options } : { is: 'more', question },
    },
  };
}

/** What later questions may lean on: the question, with the one before where it leant on that. */
const keptQuestion = ({ own }: DialogueState, found: Found | undefined, asked: string) => ({
  own: asked.slice(-MAX_CONTEXT),
  question: [found && found.question.length > asked.length ? own : null, asked]
    .filter(Boolean)
    .join(' ')
    .slice(-MAX_CONTEXT),
});

/** Offers the closest passage, asks back which of some topics is meant, or owns up. */
function unsureReply({ state, message, voice }: Turn, best: Found, asked: string): Draft {
  const trace = [traceOf(best)];
  const question = asked.slice(-MAX_CONTEXT);
  const keep = {
    ...keptQuestion(state, best, asked),
    section: best.section ?? state.section,
    unanswered: state.unanswered + 1,
  };
  const alternatives = distinct(best.ranked.slice(0, LOOKED_THROUGH).map((_, at) => tellable(best, at)));
  const options = isNowhere(best) ? [] : optionsOf(best);
  const labels = options.map(({ label }) => label);
  // Who is at the end of their patience is offered a person, not another guess.
  if (message.mood === 'frustrated' && (state.unanswered > 0 || message.isStatement))
    return {
      sentences: [say.letColleague(voice)],
      outcome: 'declined',
      trace,
      state: { ...state, pending: { is: 'colleague' } },
    };
  if (
    message.isStatement &&
    message.mood === null &&
    (wordCount(asked) <= REMARK_WORDS || best.confidence < LIKELY) &&
    state.pending === null
  )
    return {
      sentences: say.tellMore(voice),
      outcome: 'asked-back',
      trace,
      state: { ...keep, pending: { is: 'more', question } },
    };
  if (best.saying && best.confidence >= LIKELY && !isNowhere(best)) {
    const told = tellable(best);
    const others = alternatives.filter(({ topic }) => topic && topic !== told.topic).slice(0, OTHERS);
    return {
      sentences: say.offer(
        voice,
        told.topic,
        told.sentences,
        others.map(({ topic }) => topic),
      ),
      outcome: 'offered',
      citations: told.citations,
      topic: told.topic,
      trace,
      state: { ...keep, pending: { is: 'offer', question, told, others } },
    };
  }
  if (options.length > 1 && best.confidence >= NEAR && state.unanswered < 2)
    return {
      sentences: say.askWhich(voice, labels),
      outcome: 'asked-back',
      trace,
      state: { ...keep, pending: { is: 'choice', question, options } },
    };
  return {
    sentences: splitSentences(message.acts.includes('outside') ? say.joke(voice) : say.declined(voice)),
    outcome: 'declined',
    trace,
    state: { ...keep, pending: { is: 'colleague' } },
  };
}

/** None of the question's words is known, and nothing bears on it. */
const isNowhere = ({ isUnknown, question, ranked }: Found) =>
  isUnknown &&
  termsOf(question).length <= FEW_WORDS &&
  ranked.every(({ relevance }) => relevance !== null && relevance < NO_BEARING);

const wordCount = (text: string) => text.split(/\s+/).length;

/** Topics that the best passages are about, each with its passages. */
function optionsOf({ ranked }: Found): { label: string; passages: number[] }[] {
  const options = new Map<string, number[]>();
  for (const { passage, candidate } of ranked.slice(0, LOOKED_THROUGH)) {
    const likest = candidate.statements?.indexOf(Math.max(...candidate.statements));
    const label = topicOf(passage, likest);
    if (!label) continue;
    const passages = options.get(label);
    if (passages) passages.push(passage.id);
    else if (options.size < NAMED) options.set(label, [passage.id]);
  }
  return [...options].map(([label, passages]) => ({ label, passages }));
}

function tellable(found: Found, at = 0): Tellable {
  const saying = at === 0 ? found.saying : found.sayingOf(at);
  if (!saying) return { topic: '', sentences: [], citations: [] };
  return {
    topic: topicOf(saying.passage, saying.places[0]),
    sentences: saying.sentences,
    citations: saying.citations,
  };
}

/** One of each topic, the first. */
const distinct = (tellables: readonly Tellable[]) =>
  tellables.filter(
    ({ topic, sentences }, at) =>
      sentences.length > 0 && tellables.findIndex((other) => other.topic === topic) === at,
  );

const traceOf = ({ confidence, ranked, features }: Found) =>
  `${confidence.toFixed(2)} [${features.map((x) => x.toFixed(2)).join(' ')}] ${ranked
    .slice(0, 3)
    .map(
      ({ passage, relevance, score }) =>
        `#${passage.id} ${score.toFixed(1)} (${relevance?.toFixed(1) ?? '–'})`,
    )
    .join(' ')}`;
