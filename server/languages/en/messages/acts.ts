import type { Act } from '../../messages.ts';
import { normalize } from '../words.ts';

const addressed = '(?:,? (?:there|everyone|team|sigma|sir|madam|guys|all|folks|again|[a-z]+))?';
const whole = (pattern: string) => new RegExp(`^(?:${pattern})[\\s.!?,:;)(]*$`, 'i');

const social: [Act, RegExp][] = [
  // Speech over a voice, or right after it, is about hearing it: more often in a call than in writing.
  [
    'wait',
    whole(
      '(?:(?:please |just |no,? |ok(?:ay)?,? |sorry,? )*(?:wait|stop|hold on|hang on|stop (?:it|there|talking|please)|be quiet|one (?:moment|second|sec|minute)|(?:a|just a|just one|give me a|give me one|wait a|hold on a|wait one) (?:moment|second|sec|minute)|let me (?:think|see|check|look)|i am (?:looking|thinking)|bear with me|enough|that is enough)(?: please| there| now| for it)?,? ?)+',
    ),
  ],
  [
    'misunderstood',
    whole(
      '(?:no,? |sorry,? |but )*(?:(?:that|this) (?:is not|was not) (?:what|the (?:thing|question|one)) i (?:meant|asked(?: for| about)?|said|wanted|need(?:ed)?|was asking(?: for| about)?)|(?:that|this) (?:is not|was not) (?:my question|it|what i mean)|(?:that|this|it) is (?:not (?:quite )?(?:right|correct)|incorrect)|i (?:did not|do not) (?:mean|ask(?: for| about)?|say) (?:that|this)|you (?:misunderstood|got me wrong|did not understand|do not understand|misheard|did not get)(?: me| that| it)?|(?:that|it) does not answer my question|you (?:did not|are not) answer(?:ing)?(?: my question)?)',
    ),
  ],
  [
    'repeat',
    whole(
      '(?:sorry,? |excuse me,? )*(?:(?:can|could|would|will) you (?:please )?(?:repeat|say|tell me) (?:that|it|this)(?: again| once more)?|(?:please )?(?:repeat|say) (?:that|it|this)(?: again| once more)?|what did you (?:just )?say|what was that|come again|say again|once more|one more time|pardon(?: me)?|i beg your pardon|i (?:did not|could not) (?:catch|hear|get) (?:that|it|you)|you (?:broke|cut) (?:up|off|out))(?: please| again)?',
    ),
  ],
  [
    'more',
    whole(
      '(?:(?:and|ok(?:ay)?|yes|sure|so|well),? )*(?:(?:can|could|would|will) you )?(?:please )?(?:tell me more|go on|keep going|more(?: details?| information)?|what else(?: (?:is there|do i need to know|should i know))?|(?:is there )?anything else(?: (?:i should know|to know))?|is that (?:all|everything)|(?:and )?the rest|in more detail|tell me the rest|elaborate|explain (?:that|it) (?:in more detail|further))(?: (?:about|on) (?:that|it|this))?(?: please)?',
    ),
  ],
  [
    'greeting',
    whole(
      `(?:hi|hello|hey|hiya|howdy|greetings|yo|good (?:morning|afternoon|evening|day)|hi hi|hello hello|is (?:anyone|anybody|someone) there|are you there|can you hear me)${addressed}`,
    ),
  ],
  [
    'how-are-you',
    whole(
      '(?:and )?how (?:are|is|r) (?:you|it going|things|everything|your day)(?: (?:doing|today|going|now))*|how do you do|what is up|sup|how have you been',
    ),
  ],
  [
    'thanks',
    whole(
      `(?:ok(?:ay)?,? |great,? |perfect,? |lovely,? |brilliant,? |awesome,? |alright,? |got it,? |yes,? )*(?:many |lots of )?(?:thanks|ta|thank you|thx|cheers|much appreciated|i appreciate (?:it|that|your help)|appreciate it)(?: (?:a lot|so much|very much|again|for (?:your|the) (?:help|time|information|answer|assistance)|you|for that|for helping|loads|a million|then|anyway|that is (?:all|great|helpful|perfect)|sigma))*(?: have a .{0,80})?`,
    ),
  ],
  [
    'goodbye',
    whole(
      `(?:ok(?:ay)?,? |alright,? |thanks,? |thank you,? |well,? |no,? )*(?:bye(?: bye)?|goodbye|good-bye?|good bye|see (?:you|ya)(?: (?:later|soon|around))?|have a (?:good|nice|great|lovely) (?:day|one|evening|weekend|night)|talk (?:to you )?(?:later|soon)|take care|good ?night|farewell|that (?:is|was|will be) (?:all|(?:exactly |just )?it|everything)(?: (?:for (?:now|today)|thanks|i needed))?|i have to go|cya)${addressed}`,
    ),
  ],
  [
    'yes',
    whole(
      '(?:yes|yeah|yep|yup|sure|ok|okay|k|alright|all right|fine|correct|right|exactly|precisely|absolutely|definitely|indeed|of course|sounds good|that works|got it|i see|understood|makes sense|great|perfect|cool|awesome|excellent|wonderful|good|nice|very good|good to know|please do|please|great to hear|(?:it|that|this) (?:is|was|would be) (?:good|great|fine|perfect|right|correct|exactly it)(?: to (?:know|hear))?|(?:that is )?(?:exactly )?what i (?:meant|mean|need|want|was looking for)|(?:it is |that is )?(?:that|this|the same) one|(?:that|it) is the one|ah|oh|hmm|mhm|uh huh)(?:,? (?:yes|sure|okay|ok|great|good|exactly|thanks|please|thank you|that is (?:right|fine|the one)|(?:that is )?(?:exactly )?what i (?:meant|mean|need)|that one))*',
    ),
  ],
  [
    'no',
    whole(
      '(?:no|nope|nah|not really|no,? (?:it is |that is )?none of (?:these|those|them)|none of (?:these|those|them)|neither|no,? that is not it|no thanks|no thank you|nothing|not now|never ?mind|that is wrong|no,? (?:nothing|not (?:now|really|today|yet|at all|necessary|needed|for now|that))|nothing else|i am (?:good|fine|all set)|all good)(?:,? (?:thanks|thank you))?',
    ),
  ],
  [
    'compliment',
    whole(
      "(?:wow,? |oh,? )?(?:you are|you're|that (?:was|is)|this (?:was|is)|what a) (?:so |very |really |super |a |an |such a )*(?:helpful|great|amazing|awesome|the best|brilliant|good|kind|nice|smart|fantastic|excellent|lovely|clever|wonderful|friendly|star|lifesaver|legend|good bot|fast|quick)(?: \\w+){0,3}|(?:good|great|nice|excellent|amazing) (?:job|work|service|answer|bot|help)|i (?:love|like) (?:you|talking to you|this|your service)|well done|impressive|i am (?:so |very |really |quite |extremely )*(?:happy|pleased|satisfied|delighted|impressed) with (?:you|this|that|everything|(?:you\\w*|the) (?:\\w+ ){0,2}\\w+?)(?:,? (?:thanks|thank you)(?: (?:so|very) much)?)?",
    ),
  ],
];

const person =
  '(?:someone|somebody|anyone|anybody|(?:an? |the |your |another |some )?(?:real |live |actual |other |human |different )*(?:human(?: being)?|person|people|colleague|manager|supervisor|boss|agent|representative|rep|operator|advis[eo]r|member of staff)s?(?: else)?)(?: else| real| human)?';

const questions: [Act, RegExp][] = [
  [
    'weather',
    /^(?:so |and |hey )?(?:what|how) is the weather(?: like)?(?: today| there| over there| out there| where you are){0,2}[\s?.!]*$/,
  ],
  [
    'who-are-you',
    /^(?:so )?(?:who (?:are|r) you|who am i (?:talking|speaking|chatting) (?:to|with)|who is (?:this|speaking|there)|what is your name|what are you(?: called)?|do you have a name|what should i call you|may i (?:have|know) your name|introduce yourself|tell me about yourself|what company (?:is this|are you(?: with| from)?)|which company (?:is this|are you(?: with| from)?))[\s?.!]*$/,
  ],
  [
    'are-you-human',
    /\b(?:(?:are|r) (?:you|u)|am i (?:talking|speaking|chatting) (?:to|with)|is this|you are|you are not) (?:really |actually |just )?(?:an? |the )?(?:\w+ )?(?:real|human(?: being)?|(?:actual |real )?person|robot|bot|machine|computer|ai|artificial intelligence|chat ?bot|automated|recording|alive|someone real|(?:virtual |ai )?(?:agent|assistant)|language model)(?: or .{1,40}|,? (?:right|are you|you know))?[\s?.!]*$/,
  ],
  [
    'what-can-you-do',
    /^(?:so |and |ok )*(?:what (?:can|do|could) you (?:do|help(?: me)?(?: with)?|know|answer|offer me|assist(?: me)?(?: with)?)|how can you help(?: me)?|what (?:can|could|may|should) i ask(?: you)?(?: about)?|what are (?:your capabilities|you able to do|you for|you good at|you here for)|help|help me|i need (?:some )?help|can you help(?: me)?|could you help(?: me)?|can i ask (?:you )?(?:a question|something)|i have (?:a|some) questions?|i need (?:some )?(?:assistance|information)|tell me what you can do)(?: please| today| here| exactly| out)*[\s?.!]*$|^(?:so |and |ok )*what (?:kind|sort|type)s? of (?:questions?|things) (?:can|do) (?:you|i) (?:answer|ask|help)/,
  ],
  [
    'handover',
    new RegExp(
      `(?:^|\\b(?:can|could|will|would|please|have|get|let|need|want|like|rather|is there)\\b.{0,14}\\b)${person}\\b.{0,20}\\b(?:ring|call|phone|contact|speak|talk|e-?mail|get back)(?:s|ed)?\\b.{0,14}\\b(?:me|us)\\b|\\b(?:(?:speak|talk|chat) (?:directly )?(?:to|with)|(?:connect|transfer|put|get|pass|switch|hand|forward|escalate)(?:ed)? (?:me|this|it) (?:on |over |through |up )?(?:to|with)|(?:want|need|prefer|get|give me|get me|would like)(?: to (?:reach|have))?|is there) ${person}(?:(?: instead| please| now| today| there|,)*[\\s.!?]*$| (?:about|who|i can|that i can|to (?:speak|talk|call))\\b)|^(?:an? |the )?(?:human|agent|representative|operator|real person|supervisor|manager|colleague)(?:,? please| now)?[\\s.!?]*$|^(?:yes,? |please,? |then |just |can you |could you )*(?:ring|call|phone) (?:me|us)\\b`,
    ),
  ],
  [
    'handover',
    /\b(?:could|can|have|get|let|ask|tell|want|need|like)\b(?! (?:you|i|we) (?:call|ring|phone)\b).{0,40}\b(?:call|ring|phone|e-?mail|write to|text|message|contact)\s+(?:me|us)\b|\bgive (?:me|us) a (?:call|ring|shout|bell|buzz)\b|(?:^|[,;] |\band )(?:then |just |please )?(?:e-?mail|mail|text|phone|ring|write to|get back to) (?:me|us)\b|\b(?:tell|ask|get)\b.{1,30} to (?:ring|phone|call|e-?mail) (?!you\b)/,
  ],
];

/**
 * Attempts to extract the instructions: such a message is kept from language models and answered normally.
 */
const injection =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,30}\b(?:previous|prior|above|all|your)\b.{0,25}\b(?:instructions?|prompts?|rules|guidelines|restrictions)\b|\b(?:system|hidden|secret|developer|your) (?:prompts?|instructions?|configuration)\b|\b(?:show|print|reveal|repeat|output|tell|give|recite|dump|leak)\b.{0,40}\b(?:prompts?|your rules|(?:text|words|everything|lines|messages) above)\b|\bverbatim\b|\b(?:you are now|from now on,? you|pretend (?:to be|you are|that you)|roleplay|jailbreak|(?:dan|developer) mode|do anything now)\b|\bwhat (?:were|are|have) you (?:been )?(?:told|instructed|programmed)\b|<\/?(?:system|instructions?|prompt)>|\[(?:system|inst)\]/;

/** Rarely a business's matter. Only affects how it is phrased that nothing was found. */
const outside =
  /\b(?:write|compose|sing|tell|know)\b(?: \w+){0,3} (?:poem|song|story|haiku|joke|riddle|essay)\b|^(?:what is |calculate )?\d+ ?(?:[-+*/x×÷]|plus|minus|times|divided by) ?\d+$|\b(?:capital of|prime minister of|meaning of life|world cup|vote for|what is the weather)\b/;

/** A short message that ends with a farewell is one, even after thanks: "lovely, ta, bye". */
const farewell =
  /\b(?:bye(?: bye)?|goodbye|good-bye?|good bye|see (?:you|ya)|take care|cheerio|ta[- ]?ra)[\s.!]*$/;
const FAREWELL_WORDS = 8;

/** "That's it" accepts an offer, and is a farewell if nothing was offered. */
const thatIsIt = whole('(?:that|this) (?:is|was) (?:exactly |just )?it(?:,? (?:thanks|thank you))?');

export const agreesOrEnds = (sentence: string): boolean => thatIsIt.test(normalize(sentence).trim());

/** The social act of a sentence that asks nothing: greeting, thanks, agreement; null if none. */
export function socialAct(sentence: string): Act | null {
  const s = normalize(sentence).trim();
  if (farewell.test(s) && s.split(/\s+/).length <= FAREWELL_WORDS) return 'goodbye';
  for (const [act, pattern] of social)
    if (pattern.test(s) && (act !== 'greeting' || s.split(/\s+/).length <= 4)) return act;
  return null;
}

/** The act of a question that is not about the business: for a person, or for the agent's identity. */
export function askingAct(sentence: string): Act | null {
  const s = normalize(sentence).trim();
  for (const [act, pattern] of questions) if (pattern.test(s)) return act;
  return null;
}

/** Whether a sentence is rarely a business's matter. */
export const isOutside = (sentence: string): boolean =>
  outside.test(
    normalize(sentence)
      .replace(/(?<![?.!\s])[?.!\s]+$/, '')
      .trim(),
  );

/** Whether a normalised message tries to extract the instructions. */
export const isInjection = (message: string): boolean => injection.test(message);
