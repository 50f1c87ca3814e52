import type { Claims } from '../../claims.ts';
import { isQuestion } from '../questions/is-question.ts';
import { normalize, termsOf } from '../words.ts';
import { figuresIn, withoutFigures } from './figures.ts';

/** Capitalised words that are not names. */
const NO_NAMES = new Set(
  "i i'm i'll i've i'd ok okay faq pdf pin sms id url a an the and or but for".split(' '),
);
const ADDRESS =
  /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?:\/\/)?(?:www\.)?(?:[a-z\d-]{1,63}\.){1,8}(?:com|org|net|io|co|uk|de|eu|app|shop|info|gov|edu)(?:\/[^\s,;)]*)?/giu;

/** Stems of words that bind a business. */
const GRANTS = new Set(
  `free freebi complimentari refund reimburs discount voucher coupon gift compens bonu cashback guarante warranti
  unlimit alwai lifetim instant instantli immedi waiv exempt promis assur forev overnight tonight tomorrow todai`.split(
    /\s+/,
  ),
);

/** Subjects other than the agent: "let me see what I can do" permits nothing. */
const PERMITS =
  /\b(?!(?:i|colleague|what|how|who)\b)\p{L}+ (?:can|may|might|must|should|need|needs|have to|has to|do not have to)\b|\b(?:allowed|permitted|welcome to (?!contact|call|ask)|okay to|ok to|fine to|safe|free to|required|accepted|included)\b/u;
const SELF =
  /\b(?:i (?:will|have|am going to|can|did|just|already)|let me)((?: (?:also|just|now|already|gladly|certainly|personally|happily|then|definitely|be able to))*) (\p{L}+)/gu;
/** What an agent can do by itself: talk, listen, and hand over. */
const TALK = new Set(
  `help assist check look see explain tell answer find pass forward connect put ask have get be not do say share give suggest recommend
  take clarify provide refer repeat understand understood confirm let make offer speak talk listen try begin start point
  describe summarise summarize mention remind read describe direct guide show walk only still never no imagine hear appreciate
  got your a an the no nothing any that it this on some all only been listed heard
  apologise apologize thank think believe hope know want need like go continue keep leave`.split(/\s+/),
);
/**
 * "Your order has been cancelled", "your claim is already approved": not in a clause that begins with a
 * condition.
 */
const IS_DONE =
  /^(?!(?:.*\b)?(?:if|once|when|after|until|unless|before|because)\b).*(?:\b(?:has|have) (?:just |now |already )*been \p{L}+ed\b|\byour\b(?: \p{L}+){1,3} (?:is|are) (?:now |already |all )*(?:cancel+ed|approved|confirmed|refunded|booked|reserved|waived|reduced|extended|changed|updated|scheduled|issued|sent|set|fixed|unlocked|activated)\b)/u;
const WE =
  /\b(?:we|our (?:team|staff|colleagues?|agents?)|the (?:team|company)) (?:will|can|are going to|have|are happy to|would)((?: \p{L}+ly| also| just| now| already)*) (\p{L}+)/gu;
const WE_TALK = new Set('be help have get not assist need know look see answer contact'.split(' '));

const DENIES = /\b(?:not|no|never|cannot|unable|unsure|unfortunately|neither|nor|without|none|nothing)\b/;
const UNKNOWN =
  /\b(?:do not|cannot|could not|did not) (?:have|find|know|see|confirm|say|tell|share|help|answer|promise|guarantee)\b|\b(?:no|any) information\b|\bnot sure\b|\bcolleague\b/;
const COURTESY =
  /^(?:thank|thanks|you are welcome|welcome|sorry|i am sorry|i understand|hello|hi|good (?:morning|afternoon|evening)|great|sure thing|have a|happy to|glad to|i am (?:happy|glad|here|an? |just an?)|as an? (?:ai|automated|virtual|digital|customer|support)|of course[,.!]? (?:i|how|what)|please (?:let|feel|tell)|feel free|let me know|is there|how (?:can|may))\b/;
/** After this preface the rest is a statement: "I'm afraid we are closed on Sundays." */
const PREFACE = /^(?:(?:no|yes|well|oh|but)[,.]? )?i am afraid(?: that)?,? /;
const BETWEEN_CLAUSES = /[,;:] (?:(?:but|and|so|because) )?| [–—-] | (?:but|however),? /;
/** "Whether we have them, I can't say." */
const SUBORDINATE = /^(?:whether|how|what|which|about|as to)\b/;
/** Shorter clauses state nothing: "Sorry,", "of course". */
const MIN_CLAUSE_WORDS = 3;
const YES =
  /^(?:yes|yeah|yep|sure|of course|certainly|absolutely|definitely|correct|right|exactly|indeed|that is (?:right|correct)|you are right)\b/;

export const claims: Claims = {
  figuresIn,
  withoutFigures,
  tellsOfDays: (text) =>
    /\b(?:mon|tue|wed|thu|fri|sat|sun|weekdays?|weekends?|daily)(?:s|\b|[a-z]*days?\b)/i.test(text),
  isDay: (name) => /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/.test(name),

  namesIn(text) {
    const addresses = (text.match(ADDRESS) ?? []).map((found) => found.toLowerCase());
    const words = text.replace(ADDRESS, ' ');
    const names = [
      ...words.matchAll(/(?<=[\p{L}\p{N}.,;:)'"’”–-] )(?:["'“‘(])?(\p{Lu}[\p{L}\p{N}'’-]*)/gu),
    ].map(([, name = '']) => name.toLowerCase().replace(/['’]s?$/, ''));
    return [...addresses, ...names.filter((name) => !NO_NAMES.has(name.replace('’', "'")))];
  },

  grantsIn: (text) => termsOf(text).filter((term) => GRANTS.has(term)),

  permits: (sentence) => PERMITS.test(normalize(sentence)),

  actsItself(sentence) {
    const said = normalize(sentence);
    return IS_DONE.test(said) || [...said.matchAll(SELF)].some(([, , verb = '']) => !TALK.has(verb));
  },

  undertakingsIn: (sentence) =>
    [...normalize(sentence).matchAll(WE)].flatMap(([, , verb = '']) =>
      WE_TALK.has(verb) ? [] : termsOf(verb),
    ),

  isStatement(sentence) {
    // A full stop rules out a question: "When all of it is used, the speed drops." Without a mark it may be
    // one.
    const mark = /[.!?](?=["'”’)]*$)/.exec(sentence.trimEnd())?.[0];
    if (mark === '?' || (!mark && isQuestion(sentence))) return false;
    // After courtesy or an admission of not knowing, a clause may follow that can be wrong.
    return normalize(sentence)
      .trim()
      .replace(PREFACE, '')
      .split(BETWEEN_CLAUSES)
      .some(
        (clause) =>
          clause.split(' ').length >= MIN_CLAUSE_WORDS &&
          ![COURTESY, UNKNOWN, SUBORDINATE].some((nothing) => nothing.test(clause)),
      );
  },

  isDenial: (sentence) => DENIES.test(normalize(sentence)),

  affirms: (sentence) => YES.test(normalize(sentence).trim()),
};
