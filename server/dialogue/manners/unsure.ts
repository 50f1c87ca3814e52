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

/** Confidence above which the closest passage is offered; by the dev sets, see docs/dialogue.md. */
const LIKELY = 0.25;
/** Below it an offer is more often not what is meant. */
const HALF_LIKELY = 0.4;
/** Below it nothing in the knowledge is near enough to be named. */
const NEAR = 0.1;
/** Logit below which a passage has nothing to do with the question. */
const NO_BEARING = -6;
/** Longer questions may be stories told in other words. */
const FEW_WORDS = 3;
/** Passages that come next where what is offered is not it. */
const OTHERS = 2;
/** Longer offers name nothing else it could be. */
const SHORT_OFFER = 16;
/** A question with so few words that tell anything is too vague to be looked up where they are common ones. */
const VAGUE_WORDS = 1;
/** Passages bear on a question alike when their relevance differs by no more logits. */
const ALIKE = 3;
/** A remark of so few words is waited for to go on. */
const REMARK_WORDS = 10;

/** Offers the closest passage, asks back which of some topics is meant, or owns up. */
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
  // A fixed answer is for one question alone: it is named, and told once they say that they mean it.
  const isFixed = best.saying?.passage.isFixed === true;
  const options = isNowhere(best, words) ? [] : optionsOf(best, language);
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
    (wordCount(asked) <= REMARK_WORDS || !isNear) &&
    state.pending === null &&
    !(isNear && state.about !== null)
  )
    return {
      sentences: say.tellMore(voice, isNear),
      outcome: 'asked-back',
      trace,
      // It may have been a wish that only a person can see to.
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

/** Asks which of the topics it is about that are nearest to what was said. */
export function askAbout(
  { voice, state, language }: Turn,
  found: Found,
  asked: string,
  feeling: string,
): Draft {
  const { say } = language;
  const options = optionsOf(found, language);
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

/** Whether a question names too little to be looked up. A question that is surely answered does not. */
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

/** Several passages under headings of their own bear on it alike. */
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

/** None of the question's words is known, and nothing bears on it. */
const isNowhere = ({ isUnknown, question, ranked }: Found, { termsOf }: Words) =>
  isUnknown &&
  termsOf(question).length <= FEW_WORDS &&
  ranked.every(({ relevance }) => relevance !== null && relevance < NO_BEARING);

const wordCount = (text: string) => text.split(/\s+/).length;

/** What can be offered, the nearest first, one of each topic; what is no more than a heading only where there is nothing else. */
function offersOf(found: Found, language: LanguagePack): SaidOfFound[] {
  const near = found.ranked
    .slice(0, LOOKED_THROUGH)
    // What has nothing to do with it is no better than what was refused.
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
