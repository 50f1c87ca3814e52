import type { LanguagePack, Words } from '#server/languages/contract';
import { SURE } from '../knowledge/confidence.ts';
import type { Found } from '../knowledge/find.ts';
import type { Draft, Turn } from './draft.ts';
import type { Tellable } from './state.ts';
import {
  keptQuestion,
  LOOKED_THROUGH,
  MAX_CONTEXT,
  NAMED,
  optionsOf,
  type SaidOfFound,
  sectionAfter,
  tellable,
  traceOf,
} from './telling.ts';

/** Confidence above which the closest passage is offered; from the dev sets, see docs/dialogue.md. */
const LIKELY = 0.25;
/** Below this an offer is usually wrong. */
const HALF_LIKELY = 0.4;
/** Below this no passage is near enough to be named. */
const NEAR = 0.1;
/** Logit below which a passage is irrelevant. */
const NO_BEARING = -6;
/** Longer questions may be stories in other words. */
const FEW_WORDS = 3;
/** Passages that follow a rejected offer. */
const OTHERS = 2;
/** Longer offers name no alternative. */
const SHORT_OFFER = 16;
/** A question with so few content words is too vague to look up if they are common. */
const VAGUE_WORDS = 1;
/** Passages are equally relevant within this many logits. */
const ALIKE = 3;
/** After a remark this short, the agent waits for more. */
const REMARK_WORDS = 10;

/** Offers the closest passage, asks which of some topics is meant, or admits that it does not know. */
export function unsureReply({ state, language, message, voice }: Turn, best: Found, asked: string): Draft {
  const { say, splitSentences, words } = language;
  const trace = [traceOf(best)];
  const question = (best.standing ?? asked).slice(-MAX_CONTEXT);
  const keep = {
    ...keptQuestion(state, best, asked),
    section: sectionAfter(state, best),
    unanswered: state.unanswered + 1,
  };
  const isNear = best.confidence >= LIKELY;
  // A fixed answer fits only one question: its topic is offered, and it is told once they confirm.
  const isFixed = best.saying?.passage.isFixed === true;
  const options = isNowhere(best, words) ? [] : optionsOf(best, language);
  const labels = options.map(({ label }) => label);
  // A frustrated customer is offered a person, not another guess.
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
    (wordCount(asked) <= REMARK_WORDS || !isNear) &&
    state.pending === null &&
    !(isNear && state.about !== null)
  )
    return {
      sentences: say.tellMore(voice, isNear),
      outcome: 'asked-back',
      trace,
      // It may have been a request that needs a person.
      state: { ...keep, pending: isNear ? { is: 'more', question } : { is: 'colleague' } },
    };
  const [told, ...others] = isNear && !isFixed && !isNowhere(best, words) ? offersOf(best, language) : [];
  if (told) {
    const { isNameable } = language.telling;
    const other = others.find(({ topic }) => isNameable(topic));
    const isShort = wordCount(told.sentences.join(' ')) <= SHORT_OFFER;
    return {
      sentences: say.offer(voice, {
        topic: isNameable(told.topic) ? told.topic : '',
        told: told.sentences,
        other: other && isShort ? other.topic : '',
        isFar: best.confidence < HALF_LIKELY,
      }),
      outcome: 'offered',
      citations: told.citations,
      topic: told.topic,
      trace,
      state: {
        ...keep,
        pending: {
          is: 'offer',
          question,
          told: withoutRest(told),
          ...(told.rest ? { rest: { topic: told.topic, ...told.rest } } : {}),
          others: others.slice(0, OTHERS).map(withoutRest),
        },
      },
    };
  }
  const isOutside = message.acts.includes('outside');
  if (options.length > (isFixed ? 0 : 1) && best.confidence >= NEAR && state.unanswered < 2 && !isOutside)
    return {
      sentences: say.askWhich(voice, labels),
      outcome: 'asked-back',
      trace,
      state: { ...keep, pending: { is: 'choice', question, options } },
    };
  return {
    sentences: splitSentences(isOutside ? say.outside(voice) : say.declined(voice)),
    outcome: 'declined',
    trace,
    state: { ...keep, pending: isOutside ? null : { is: 'colleague' } },
  };
}

/** Asks which of the nearest topics is meant. */
export function askAbout(
  { voice, state, language }: Turn,
  found: Found,
  asked: string,
  feeling: string,
): Draft {
  const { say } = language;
  const options = optionsOf(found, language);
  const question = asked.slice(-MAX_CONTEXT);
  // Only the topic was named: "I would like to ask about the Harbor Court."
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

/** Whether a question is too vague to look up. A surely answered one is not. */
export function isVague(
  text: string,
  found: Found,
  { questions, words }: LanguagePack,
  isStatement: boolean,
): boolean {
  const terms = words.termsOf(text).filter((term) => !questions.isEmptyTerm(term));
  if (terms.length === 0) return true;
  const told = found.saying?.sentences.join(' ') ?? '';
  if (found.confidence >= SURE && (!isStatement || questions.hasAskedKind(text, told))) return false;
  return terms.length <= VAGUE_WORDS && found.isCommon;
}

/** Several passages under different headings are equally relevant. */
export function isAmbiguous({ ranked }: Found): boolean {
  const [best, ...others] = ranked;
  return others
    .slice(0, NAMED)
    .some(
      ({ passage, relevance }) =>
        passage.headings.join() !== best?.passage.headings.join() &&
        relevance !== null &&
        relevance > 0 &&
        (best?.relevance ?? relevance) - relevance < ALIKE,
    );
}

/** None of the question's words is known, and no passage is relevant. */
const isNowhere = ({ isUnknown, question, ranked }: Found, { termsOf }: Words) =>
  isUnknown &&
  termsOf(question).length <= FEW_WORDS &&
  ranked.every(({ relevance }) => relevance !== null && relevance < NO_BEARING);

const wordCount = (text: string) => text.split(/\s+/).length;

/** The possible offers, nearest first, one per topic; mere headings only without others. */
function offersOf(found: Found, language: LanguagePack): SaidOfFound[] {
  const near = found.ranked
    .slice(0, LOOKED_THROUGH)
    // An irrelevant passage is no better than the rejected one.
    .flatMap(({ relevance }, at) =>
      at > 0 && relevance !== null && relevance < NO_BEARING ? [] : tellable(found, language, at, true),
    )
    .filter(({ sentences }) => sentences.length > 0);
  const telling = near.filter(({ isTelling }) => isTelling);
  return (telling.length > 0 ? telling : near)
    .filter(({ topic }, at, all) => all.findIndex((other) => other.topic === topic) === at)
    .filter(({ topic }, at) => at === 0 || topic !== '');
}

const withoutRest = ({ topic, sentences, citations }: SaidOfFound): Tellable => ({
  topic,
  sentences,
  citations,
});
