import type { Meant, SaidInRoom } from '../../contract.ts';
import { isName } from '../names.ts';
import { isQuestion } from '../questions/is-question.ts';

/**
 * Decides from words alone whether a person speaks to the agent. Alone with the agent: always. Among several
 * people: if it is called by name, or its own words are answered; a question or request to nobody in
 * particular is for the agent if no person responds; everything else is conversation among people.
 */
export function whoIsMeant({ text, agentName, otherNames, agentJustSaid }: SaidInRoom): Meant {
  if (otherNames.length === 0) return 'answer';
  const words = wordsOf(text);
  if (words.length === 0) return 'stay-silent';
  if (calls(words, text, agentName)) return 'answer';
  if (otherNames.some((name) => calls(words, text, name))) return 'stay-silent';
  if (agentJustSaid !== null && isMeantForAgent(text, words, agentJustSaid)) return 'answer';
  return isAsking(text, words) ? 'if-unanswered' : 'stay-silent';
}

/** "Hm, I don't know", "good question": after such an answer a question is still open. */
export function leavesItOpen(text: string): boolean {
  const said = wordsOf(text).join(' ');
  return said.split(' ').length <= 8 && LEFT_OPEN.test(said);
}

const LEFT_OPEN =
  /^(?:(?:hm+|um+|uh|well|oh|yeah|sorry|honestly|i think) ?)*(?:good question|(?:i )?(?:do not|don't) know|(?:i have )?no idea|not sure|i(?:'m| am) not sure(?: (?:either|about that))?|let's ask|(?:let us |let's )?(?:wait and )?see|who knows|no clue|beats me)?(?: either)?$/;

/** Words that may precede a called name or the first word of a question. */
const OPENERS = new Set(
  'hey hi hello ok okay so and but well please thanks thank you yes yeah no alright right um uh oh good morning afternoon dear excuse me sorry'.split(
    ' ',
  ),
);

/** After one of these, a name is mentioned, not called. */
const ABOUT = new Set(
  'ask asked asking tell told telling with to about from of by for is was that called named like said says than use using try let have has had does did will'.split(
    ' ',
  ),
);

/** Before one of these, a name is mentioned, not called. */
const TELLS = new Set(
  "said says say is was has had told tells does did didn't doesn't can't cannot couldn't will won't would just also already never always knows thinks thought and or gave gives isn't wasn't".split(
    ' ',
  ),
);

const REQUEST =
  /^(?:please\b|(?:can|could|may|would) (?:you|i|we|somebody|someone|anybody|anyone)\b|(?:i|we)(?:'d| would) like\b|(?:i|we) (?:need|want|have a question|have to know)\b|tell (?:me|us)\b|show (?:me|us)\b|(?:i am|i'm|we are|we're) (?:looking for|wondering)\b|i wonder\b|does (?:anybody|anyone|somebody|someone)\b)/;

/** Small talk among people, even if it looks like a request. */
const AMONG_PEOPLE =
  /^(?:how are you|how's it going|how are things|can you hear me|do you hear me|are you (?:there|here|ready|okay|ok|sure|still there)|is (?:that|it) okay(?: with you)?|right|really|isn't it|don't you think|you know|see|what(?: did you say)?|sorry what|who is (?:that|this|there|here)|who's (?:that|this|there|here)|shall we(?: \w+)*|what do you think|should we(?: \w+)*)$/;

const ANSWERS_AGENT =
  /^(?:yes|yeah|yep|no|nope|okay|ok|sure|right|exactly|correct|thanks|thank|please|great|perfect|i|it|it's|my|the|number|never|not|maybe)$/;

function isMeantForAgent(text: string, words: readonly string[], agentJustSaid: string): boolean {
  if (agentJustSaid.trim().endsWith('?')) return true;
  if (isAsking(text, words)) return true;
  const [first = ''] = words;
  return words.length <= 4 && ANSWERS_AGENT.test(first);
}

function isAsking(text: string, words: readonly string[]): boolean {
  const rest = withoutOpeners(words);
  const said = rest.join(' ');
  if (AMONG_PEOPLE.test(said)) return false;
  return text.trim().endsWith('?') || isQuestion(said) || REQUEST.test(said);
}

/** Whether a name is called: at the beginning or end. A mention is not enough. */
function calls(words: readonly string[], text: string, fullName: string): boolean {
  const [name] = wordsOf(fullName);
  if (name === undefined) return false;
  const rest = withoutOpeners(words);
  const isCalledFirst = isName(rest[0], name) && !isToldAbout(rest, text);
  return isCalledFirst || isCalledLast(words, text, name);
}

function isToldAbout(rest: readonly string[], text: string): boolean {
  const next = rest[1];
  if (next === undefined) return false;
  const isSetOff = new RegExp(`${rest[0]}\\s*[,.!?:]`, 'iu').test(text);
  return !isSetOff && TELLS.has(next) && !rest.includes('you');
}

function isCalledLast(words: readonly string[], text: string, name: string): boolean {
  const last = words.at(-1);
  if (words.length < 2 || !isName(last, name)) return false;
  if (new RegExp(`[,.!?]\\s*${last}\\W*$`, 'iu').test(text)) return true;
  return !ABOUT.has(words.at(-2) ?? '');
}

function withoutOpeners(words: readonly string[]): readonly string[] {
  let start = 0;
  while (start < words.length - 1 && OPENERS.has(words[start] ?? '')) start++;
  return words.slice(start);
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? [];
