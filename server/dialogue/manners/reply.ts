import { contactIn } from '#server/languages/en/messages/contact';
import { readMessage } from '#server/languages/en/messages/read-message';
import { needsOwnRecords } from '#server/languages/en/questions/own-records';
import { readPersona } from '#server/languages/en/wording/persona';
import * as say from '#server/languages/en/wording/wording';
import { termsOf } from '#server/languages/en/words';
import { splitSentences } from '#server/languages/sentences';
import type { CustomerTurn } from '../contract.ts';
import { contradictionOf } from '../knowledge/contradiction.ts';
import { type Found, find, type Knowing } from '../knowledge/find.ts';
import type { Draft, GroundedReply, Turn } from './draft.ts';
import { emergencyReply } from './emergency.ts';
import { handoverReply } from './handover.ts';
import { picked } from './picked.ts';
import { socialReply } from './small-talk.ts';
import { type DialogueState, type Pending, stateFrom } from './state.ts';
import { keptQuestion, MAX_CONTEXT, tellable, traceOf } from './telling.ts';
import { askAbout, isAmbiguous, isVague, pointsNowhere, unsureReply } from './unsure.ts';

/** Confidence above which the answer is given; by the dev sets, see docs/dialogue.md. */
const SURE = 0.58;
/** Above it what is near the second of two questions is told with the answer to the first. */
const ALSO = 0.4;
/** Questions of one message that are answered. */
const MAX_NEEDS = 2;
/** Statements that are not told again. */
const TOLD = 8;

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
