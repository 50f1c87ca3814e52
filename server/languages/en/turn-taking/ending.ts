import type { Ending, ExpectedAnswer } from '#server/languages/turn-taking';
import { plain } from '#server/languages/typography';
import { isQuestion } from '../questions/is-question.ts';
import { splitSentences } from '../sentences.ts';
import { hangs, isVerbal, whWords } from './hanging.ts';
import { readSpelling } from './spelled.ts';
import { kindOfStatement } from './statement.ts';
import { wordsOf } from './words-of.ts';

/** The last sentence of an utterance, as the rules read it. */
interface Sentence {
  /** Lower case, without marks except those inside words. */
  words: readonly string[];
  /** Its closing marks, '' for none. */
  mark: string;
}

/**
 * Decides from the words whether a customer has finished. Rules run from surest to vaguest: marks and
 * fillers, codes being spelled, words that cannot end a sentence, clauses without their main clause, lists;
 * then questions, answers and openings.
 */
export function readEnding(text: string, expected: ExpectedAnswer): Ending {
  const whole = plain(endOf(text)).toLowerCase().trim();
  const last = splitSentences(whole).at(-1) ?? '';
  const sentence: Sentence = {
    words: wordsOf(last),
    mark: /(?<![^\p{L}\p{N}'"%€$£])[^\p{L}\p{N}'"%€$£]*$/u.exec(last)?.[0].trim() ?? '',
  };
  if (sentence.words.length === 0) return 'hesitating';

  if (hesitates(last, sentence)) return 'hesitating';
  if (/(?:[-–—:;…]|\.\.)$/.test(sentence.mark)) return 'unfinished';
  const spelling = readSpelling(whole, wordsOf(whole), expected);
  if (spelling) return spelling;
  if (farewell.test(last)) return 'complete-answer';
  if (isPolarAnswer(sentence.words, expected)) return 'complete-answer';
  const hanging = hangs(sentence.words, expected);
  if (hanging) return hanging;
  const clause = sentence.mark.includes('?') ? null : lacksMainClause(last, sentence.words, expected);
  if (clause) return clause;
  // Recognition writes a comma when the voice does not fall; the words before it may still be complete.
  if (sentence.mark.endsWith(','))
    return sentence.words.length < 4 ? 'unfinished' : asks(last) ? 'opening' : 'list';
  if (announced.test(last) || listGoesOn(last, sentence)) return 'list';
  if (sentence.mark.includes('?')) return 'question';
  if (expected === 'anything' && opening.test(last)) return 'opening';
  if (expected !== 'anything' && sentence.words.length <= 6) return 'complete-answer';
  const kind = kindOfStatement(last);
  // An answer may also tell a background; and after a first sentence the second is the point.
  return kind === 'open-ended' && (expected !== 'anything' || last.length < whole.length) ? 'finished' : kind;
}

/**
 * Characters at the end of an utterance that are read: a minute of speech, since this runs with every
 * recognised word.
 */
const MAX_READ = 1_000;

/** The last whole words of a text. */
function endOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  const end = text.slice(-MAX_READ);
  return end.slice(end.indexOf(' ') + 1);
}

const filler = /^(?:u+[hm]+|e+r+m?|a+h+m?|h+m+|m+|mhmm+|eh|hum)$/;
const fillerPhrase =
  /(?:\b(?:let me (?:see|think|check|look|find|get|grab|have a look|just|look (?:it|that) up|find (?:it|that)|pull (?:it|that) up)(?: (?:it|that|real quick|quickly|for a (?:second|moment)))?|let's see|(?:just )?(?:one|a|give me (?:a|one)|just a|hold on a|wait a) (?:second|sec|moment|minute|min|tick)(?: please)?|hold on|hang on|bear with me|you know|i mean|how do i (?:say|put)(?: (?:this|it))?|what'?s it called|what do you call it|what was it|where did i put it|i'?m (?:just )?(?:looking|checking|trying to (?:find|remember|think)))|^(?:wait|well|so|now|right so|okay so|ok so|yeah so|yes so|and so|okay well|now then))[\s.!,?…-]*$/;
/** After these, "you know" and "I mean" are not fillers. */
const questionOfFiller =
  /\b(?:what (?:do|did|does|would) (?:you|i)|do|did|as|that|if|how do|let|see what|don'?t|to let)(?: you)? (?:you know|i mean|mean|know)[\s.!,?]*$/;

function hesitates(last: string, { words }: Sentence): boolean {
  const lastWord = words.at(-1) ?? '';
  if (filler.test(lastWord) && !/\b(?:uh|mm|m)[ -]?h(?:uh|m+)[\s.!,?]*$/.test(last)) return true;
  return fillerPhrase.test(last) && !questionOfFiller.test(last);
}

const farewell =
  /^(?:(?:ok(?:ay)?|great|perfect|alright|all right|right|yes|yeah|no|nope|well|lovely|awesome|cool|fine|good|excellent|wonderful),? )*(?:(?:yes|yeah|sure),? please|(?:many |no,? )?(?:thanks|thank you)(?: (?:so much|very much|a lot|again|for (?:your|the) help|for that|bye))*|(?:good)?bye(?: bye)?|see you(?: later)?|that'?s (?:all|it|everything|great|perfect|fine|good)(?: (?:for (?:now|today)|thanks|thank you))*|have a (?:good|nice|great|lovely) (?:day|one|evening|weekend|night))[\s,.!]*$/;

const polarStart =
  /^(?:yes|yeah|yep|yup|ya|no|nope|nah|sure|correct|right|exactly|absolutely|definitely|certainly|of course|okay|ok|alright|fine|please|mhm|mm-?hmm?|uh-?huh|indeed|that'?s (?:right|correct|fine|ok|okay|it|true|wrong)|not (?:yet|really|at all|now|today|quite)|never|maybe|perhaps|probably|i (?:think|guess|hope|believe) (?:so|not)|go ahead|sounds good|perfect|great|neither|either|both)$/;
const auxiliaries =
  "(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|must|might|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|haven't|hasn't|hadn't|can't|cannot|couldn't|won't|wouldn't|shouldn't|not)";
const shortClause = new RegExp(
  `^(?:i|you|he|she|it|we|they|that|there|this)(?:'s|'re|'m)? (?:really |probably |just )?${auxiliaries}(?: not)?$`,
);

/** Complete answers to a yes-or-no question: "Yes", "no, thank you", "it is", "yes, I do". */
function isPolarAnswer(words: readonly string[], expected: ExpectedAnswer): boolean {
  const text = words.join(' ');
  const rest = text.replace(/^(?:(?:yes|yeah|yep|no|nope|sure|of course|well|oh|ah|okay|actually),? ?)+/, '');
  const startsPolar = rest !== text;
  if (expected === 'yes-or-no') {
    if (rest === '' || polarStart.test(rest) || shortClause.test(rest)) return true;
    return (
      startsPolar &&
      /^(?:please|thanks|thank you|sir|ma'?am|that'?s (?:right|correct|fine|it|true|ok|okay|all)|i (?:do|did|am|have|would|think so)|please do|go ahead)(?: please| thanks| thank you)?$/.test(
        rest,
      )
    );
  }
  return startsPolar && shortClause.test(rest);
}

const subordinators =
  /^(?:(?:and|but|so|well|okay|yes|yeah|no|also|hi|hello),? )*(?:if|unless|although|though|even though|even if|whenever|while|whereas|as soon as|as long as|in case|once|now that|given that|(?:when|since|after|before|until)(?! (?:is|are|was|were|do|does|did|will|would|can|could|should|has|have|am|might|may|i get my|'s)\b)|every time|(?:the )?(?:last|first|next) time (?:i|we)|the (?:moment|minute|day) (?:i|we)|because|due to|because of|instead of|apart from|rather than)\b/;

/**
 * A clause that needs another one: "if I return the jacket", "the jacket that I bought", "my order number".
 */
function lacksMainClause(last: string, words: readonly string[], expected: ExpectedAnswer): Ending | null {
  if (expected !== 'anything' && words.length <= 7) return null;
  const bare = last.replace(/(?<![\s.!])[\s.!]+$/, '');
  if (subordinators.test(bare)) {
    const afterComma = bare.slice(bare.lastIndexOf(',') + 1).trim();
    const hasMain =
      bare.includes(',') &&
      wordsOf(afterComma).length >= 2 &&
      !subordinators.test(afterComma) &&
      !/^(?:hi|hello|yes|no)/.test(bare);
    return hasMain || mainClauseWithoutComma(words) ? null : 'unfinished';
  }
  if (!words.some((word, index) => isVerbal(word, words[index - 1]))) {
    const first = words[0] ?? '';
    if (/^(?:my|the|your|our|his|their|an?)$/.test(first) && words.length <= 6)
      return words.length === 1 ? 'unfinished' : 'open-ended';
    if (
      /^(?:about|for|in|on|at|with|from|regarding|concerning|to|of|by|last|next|yesterday|today|earlier)$/.test(
        first,
      )
    )
      return 'open-ended';
  }
  // A described thing without a statement yet: "the jacket that I bought", "the order I made".
  if (
    /^(?:my|the|an?|one|another) (?:[\w'-]+ ){1,3}(?:that |which |who )?(?:i|we|you|they)(?:'ve|'d| have| had| just| recently| already)* [\w']+(?:ed|ght|nt|id|ade|ook|ot|ave)?$/.test(
      bare,
    ) &&
    words.length <= 9
  )
    return 'open-ended';
  return null;
}

/** A second subject follows the first clause: "When I log in it says error", "if I return it do I get …". */
function mainClauseWithoutComma(words: readonly string[]): boolean {
  const subjects = new Set([
    'i',
    'you',
    'he',
    'she',
    'it',
    'we',
    'they',
    'nothing',
    "it's",
    "i'm",
    "i'll",
    "i'd",
    "that's",
    'there',
    'what',
    'how',
    "i've",
    "you'll",
    "they'll",
    'please',
    "there's",
  ]);
  let seen = 0;
  for (const [index, word] of words.entries()) {
    if (!subjects.has(word)) continue;
    // An object is not a subject: something must follow it.
    const next = words[index + 1];
    if (word === 'it' && index > 0 && next !== undefined && !isVerbal(next, word)) continue;
    if (next === undefined) continue;
    seen++;
    const before = words[index - 1] ?? '';
    if (seen > 1 && !/^(?:and|or|that|because|if|when|than|which|what|but)$/.test(before)) return true;
  }
  return false;
}

const asks = (sentence: string) => isQuestion(sentence.replace(/^(?:(?:and|so|but|okay|hi|hello),? )+/, ''));

/** Announces a list: "I need three things", "I have two questions". */
const announced =
  /\b(?:two|three|four|five|several|a few|a couple of|some|\d) (?:\w+ )?(?:things|questions|items|problems|reasons|issues|requests|points)[\s.!,]*$/;

/** Two or more short items without "and" before the last: "two shirts, a belt". */
function listGoesOn(last: string, { words }: Sentence): boolean {
  if (words.length < 3 || /\?/.test(last)) return false;
  const items = last.replace(/(?<![\s.!])[\s.!]+$/, '').split(/,\s*/);
  if (items.length < 2) return false;
  const tail = items.slice(1);
  const lastItem = tail.at(-1) ?? '';
  if (
    /^(?:and|or|but|so|please|thanks|thank you|sir|madam|right|too|then|though|yes|no|actually|i|you|it|we|they|he|she|what|how|when|where|can|could|do|is|are|will|would|because|if|which|who)\b/.test(
      lastItem,
    )
  )
    return false;
  if (/\b(?:and|or)\b/.test(lastItem)) return false;
  const isItem = (item: string) => {
    const itemWords = wordsOf(item);
    return (
      itemWords.length > 0 &&
      itemWords.length <= 4 &&
      !itemWords.some((word, index) => isVerbal(word, itemWords[index - 1]) || whWords.has(word))
    );
  };
  if (!tail.every(isItem)) return false;
  // "Hi, Sigma", "yes, tomorrow", "on Monday, May fifth": a single item is a list only if it is counted or
  // named.
  if (tail.length >= 2) return true;
  return /^(?:an?|one|two|three|four|five|six|some|the|my|\d+)\b/.test(lastItem) && words.length >= 4;
}

const opening =
  /^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|yes|yeah|okay|ok|alright|sorry|excuse me|listen|look|oh|right|no|nope|please)(?:,? (?:there|sigma|again|sir|madam|everyone|please|[a-z]+))?|(?:(?:hi|hello|hey|yes|yeah|okay|so|actually|well|oh|no|sorry|excuse me|good (?:morning|afternoon))(?: there)?,? )*(?:i (?:have|had|got)|i'?ve got|there'?s|just|maybe)? ?(?:(?:a|an|one|another|some|one more|a quick|a few|two|quick|another quick) )(?:(?:quick|small|other|more|big|serious|little) )*(?:questions?|problems?|issues?|thing|things|complaint|request)|(?:(?:hi|hello|hey|yes|so|okay|well)(?: there)?,? )*i (?:need|want|could use) (?:some |your )?help|can i ask (?:you )?(?:something|a question)|can you help me|i was just (?:calling|looking)|my name is [\w'-]+(?: [\w'-]+)?|this is [\w'-]+|i'?m [\w'-]+)[\s.!,]*$/;
