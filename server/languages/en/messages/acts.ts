import type { Act } from '../../messages.ts';
import { normalize } from '../words.ts';

const addressed = '(?:,? (?:there|everyone|team|sigma|sir|madam|guys|all|folks|again|[a-z]+))?';
const whole = (pattern: string) => new RegExp(`^(?:${pattern})[\\s.!?,:;)(]*$`, 'i');

const social: [Act, RegExp][] = [
  // What is said over, or right after, a voice one hears: more often in a call than in writing.
  [
    'wait',
    whole(
      '(?:(?:please |just |no,? |ok(?:ay)?,? |sorry,? )*(?:wait|stop|hold on|hang on|stop (?:it|there|talking|please)|be quiet|one (?:moment|second|sec|minute)|(?:a|just a|just one|give me a|give me one|wait a|hold on a|wait one) (?:moment|second|sec|minute)|let me (?:think|see|check|look)|i am (?:looking|thinking)|bear with me|enough|that is enough)(?: please| there| now| for it)?,? ?)+',
    ),
  ],
  [
    'misunderstood',
    whole(
      '(?:no,? |sorry,? |but )*(?:(?:that|this) (?:is not|was not) (?:what|the (?:thing|question|one)) i (?:meant|asked(?: for| about)?|said|wanted|need(?:ed)?|was asking(?: for| about)?)|(?:that|this) (?:is not|was not) (?:my question|it|what i mean)|i (?:did not|do not) (?:mean|ask(?: for| about)?|say) (?:that|this)|you (?:misunderstood|got me wrong|did not understand|do not understand|misheard|did not get)(?: me| that| it)?|(?:that|it) does not answer my question|you (?:did not|are not) answer(?:ing)?(?: my question)?)',
    ),
  ],
  [
    'repeat',
    whole(
      '(?:sorry,? |excuse me,? )*(?:(?:can|could|would|will) you (?:please )?(?:repeat|say|tell me) (?:that|it|this)(?: again| once more)?|(?:please )?(?:repeat|say) (?:that|it|this)(?: again| once more)?|what did you (?:just )?say|what was that|come again|say again|once more|one more time|pardon(?: me)?|i beg your pardon|i (?:did not|could not) (?:catch|hear|get) (?:that|it|you)|you (?:broke|cut) (?:up|off|out))(?: please| again)?',
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
      `(?:ok(?:ay)?,? |alright,? |thanks,? |thank you,? |well,? |no,? )*(?:bye(?: bye)?|goodbye|good bye|see (?:you|ya)(?: (?:later|soon|around))?|have a (?:good|nice|great|lovely) (?:day|one|evening|weekend|night)|talk (?:to you )?(?:later|soon)|take care|good ?night|farewell|that (?:is|was|will be) (?:all|it|everything)(?: (?:for (?:now|today)|thanks|i needed))?|i have to go|cya)${addressed}`,
    ),
  ],
  [
    'yes',
    whole(
      '(?:yes|yeah|yep|yup|sure|ok|okay|k|alright|all right|fine|correct|right|exactly|absolutely|of course|sounds good|that works|got it|i see|understood|makes sense|great|perfect|cool|awesome|excellent|wonderful|good|nice|very good|good to know|please do|yes please|please|great to hear|that is (?:good|great|fine|perfect|right|correct)(?: to (?:know|hear))?|ah|oh|ah ok|oh ok|okay great|ok great|hmm|mhm|uh huh)(?:,? (?:yes|sure|okay|ok|great|good|thanks|please|thank you))*',
    ),
  ],
  [
    'no',
    whole(
      '(?:no|nope|nah|not really|no,? (?:it is |that is )?none of (?:these|those|them)|none of (?:these|those|them)|neither|no,? that is not it|no thanks|no thank you|nothing|not now|never ?mind|that is wrong|no,? (?:nothing|not) .{0,20}|nothing else|i am (?:good|fine|all set)|all good)(?:,? (?:thanks|thank you))?',
    ),
  ],
  [
    'compliment',
    whole(
      "(?:wow,? |oh,? )?(?:you are|you're|that (?:was|is)|this (?:was|is)|what a) (?:so |very |really |super |a |an |such a )*(?:helpful|great|amazing|awesome|the best|brilliant|good|kind|nice|smart|fantastic|excellent|lovely|clever|wonderful|friendly|star|lifesaver|legend|good bot|fast|quick)(?: \\w+){0,3}|(?:good|great|nice|excellent|amazing) (?:job|work|service|answer|bot|help)|i (?:love|like) (?:you|talking to you|this|your service)|well done|impressive|i am (?:so |very |really |quite |extremely )*(?:happy|pleased|satisfied|delighted|impressed) with (?:you|this|that|everything|(?:you\\w*|the) (?:\\w+ ){0,2}\\w+?)(?:,? (?:thanks|thank you)(?: (?:so|very) much)?)?",
    ),
  ],
];

const questions: [Act, RegExp][] = [
  [
    'who-are-you',
    /^(?:so )?(?:who (?:are|r) you|who am i (?:talking|speaking|chatting) (?:to|with)|who is (?:this|speaking|there)|what is your name|what are you(?: called)?|do you have a name|what should i call you|may i (?:have|know) your name|introduce yourself|tell me about yourself|what company (?:is this|are you(?: with| from)?)|which company (?:is this|are you(?: with| from)?))[\s?.!]*$/,
  ],
  [
    'are-you-human',
    /\b(?:are|r) (?:you|u) (?:\w+ )?(?:an? )?(?:\w+ )?(?:real(?: person| human| agent)?|human|person|robot|bot|machine|computer|ai|artificial intelligence|chatbot|chat bot|automated|recording|actual person|alive|chatgpt|gpt|program|virtual (?:agent|assistant)|llm|language model)\b|\bam i (?:talking|speaking|chatting) (?:to|with) (?:an? )?(?:\w+ )?(?:human|person|robot|bot|machine|ai|computer|someone real)\b|^is this (?:an? )?(?:\w+ )?(?:human|person|robot|bot|machine|ai|computer|recording)\b/,
  ],
  [
    'what-can-you-do',
    /^(?:so |and |ok )*(?:what (?:can|do|could) you (?:do|help(?: me)?(?: with)?|know|answer|offer me|assist(?: me)?(?: with)?)|how can you help(?: me)?|what (?:can|could|may|should) i ask(?: you)?(?: about)?|what are (?:your capabilities|you able to do|you for|you good at|you here for)|help|help me|i need (?:some )?help|can you help(?: me)?|could you help(?: me)?|can i ask (?:you )?(?:a question|something)|i have (?:a|some) questions?|i need (?:some )?(?:assistance|information)|tell me what you can do)(?: please| today| here| exactly| out)*[\s?.!]*$|^(?:so |and |ok )*what (?:kind|sort|type)s? of (?:questions?|things) (?:can|do) (?:you|i) (?:answer|ask|help)/,
  ],
  [
    'handover',
    /\b(?:someone|somebody|anyone|anybody|(?:an? |the |your |another )?(?:real |live )?(?:human|person|colleague|manager|supervisor|boss|agent|representative|operator|adviser|advisor|member of staff)s?)\b.{0,30}\b(?:ring|call|phone|contact|speak|talk|e-?mail|get back|reach|help)(?:s|ed)?\b.{0,14}\b(?:me|us)\b|^(?:yes,? |please,? |then |just |can you |could you )*(?:ring|call|phone) (?:me|us)\b/,
  ],
  [
    'handover',
    /\b(?:(?:speak|talk|chat|connect|transfer|put|get|pass|switch|escalate|forward|hand)(?:ed|ing)? (?:me )?(?:on )?(?:over )?(?:through )?(?:directly )?(?:to|with|me) (?:an? |the |your |some )?(?:\w+ )?(?:human|person|agent|representative|rep|someone(?: else| real)?|somebody|manager|supervisor|colleague|operator|advisor|adviser|specialist|real person|live agent|member of staff|staff member)|(?:i )?(?:want|need|prefer|like|give me|get me|i would like) (?:to (?:have|reach) )?(?:an? |the )?(?:real |live |actual |another )?(?:human(?: being)?|real person|representative|live agent|human agent|operator|supervisor)\b|^(?:an? |the )?(?:human|agent|representative|operator|real person|live agent|supervisor|manager|person|colleague)(?:,? please| now)?[\s.!?]*$|(?:call|phone) me back|can someone (?:call|phone|contact) me|is there (?:a|any) (?:human|real person|person)(?: i can| to)?|let me (?:speak|talk) (?:to|with))/,
  ],
];

const injections = [
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,30}\b(?:previous|prior|above|earlier|all|your|the|any|these|those|my)\b.{0,25}\b(?:instructions?|prompts?|rules?|guidelines?|messages?|directions?|training|guardrails|restrictions|context|told)\b/,
  /\b(?:system|hidden|initial|original|internal|secret|developer|your) (?:prompts?|instructions?|message|guidelines?|configuration)\b/,
  /\b(?:show|print|reveal|repeat|output|display|tell|give|share|recite|copy|list|dump|leak|paste|write)\b.{0,40}\b(?:prompts?|instructions?|your rules|your configuration|text above|words above|everything above|above text|your guidelines|your training)\b/,
  /\brepeat (?:the |all |everything |every )?(?:text|words|above|back|lines|messages)\b.{0,30}|\bverbatim\b/,
  /\b(?:you are now|from now on,? you|pretend (?:to be|you are|that you)|act as (?:if|an?|my|the)|roleplay|role-play|jailbreak|dan mode|developer mode|do anything now|simulate being|imagine you are (?:an?|not))\b/,
  /\b(?:what|which) (?:were|are|is) (?:you|your|the) (?:\w+ )?(?:instructions?|prompts?|told|rules you|guidelines)\b|\bwhat (?:were|have) you (?:been )?(?:told|instructed|programmed)\b/,
  /<\/?(?:system|instructions?|prompt)>|\[(?:system|inst)\]|\bsystem:\s|begin (?:new )?(?:system )?prompt/,
];

const outside = [
  /\b(?:write|compose|create|make|generate|sing|recite|tell)\b(?: \w+){0,4} (?:poem|poetry|song|story|haiku|limerick|essay|joke|rap|lyrics|novel|fairy ?tale|riddle)\b/,
  /\b(?:write|compose|create|generate|code|program)\b(?: \w+){0,4} (?:speech|blog post|cover letter|code|script|program|function|regex|sql|python|javascript|java|html)\b/,
  /^(?:please )?(?:do you know |got |know )?(?:any |a )?(?:good )?(?:jokes?|riddles?|fun facts?)\b|\bmake me laugh\b/,
  /^(?:please )?(?:what is |what's |whats |calculate |compute |how much is |solve )?\(?-?\d+(?:\.\d+)?\)?\s*(?:[-+*/x×÷^]|plus|minus|times|divided by|multiplied by|to the power of)\s*\(?-?\d/,
  /\b(?:square root of|solve (?:this|the) equation|derivative of|integral of)\b/,
  /\b(?:who (?:will|is going to|should|do you think) (?:win|i vote)|vote for|which (?:political )?party|your (?:political )?(?:opinion|view|views|stance|thoughts) (?:on|about)|what do you think (?:about|of) (?:the )?(?:president|government|election|politics|war|trump|biden|religion|god|abortion|immigration|brexit))\b/,
  /\b(?:capital (?:city )?of [a-z]+|population of [a-z]+|president of|prime minister of|king of|queen of|meaning of life|tallest (?:mountain|building)|who (?:invented|discovered|painted|wrote|composed|directed)|world cup|olympics|super bowl|stock (?:price|market)|bitcoin price|weather (?:like|today|tomorrow|forecast|in)|what is the weather|translate .{1,60} (?:to|into) [a-z]+|what is the time(?: in [a-z]+)?$|what day is it)\b/,
];

const advice = [
  /\b(?:should i (?:sue|take .{1,60} to court|see a (?:doctor|lawyer)|invest|divorce|stop taking|take (?:ibuprofen|aspirin|paracetamol|antibiotics|medication))|can i sue|is it legal (?:to|for|if)|legal advice|medical advice|tax advice|investment advice|(?:how much|what dose|what dosage|which dose) .{0,20}(?:ibuprofen|paracetamol|aspirin|medication|antibiotics?|pills?) (?:should|can|may|do) i|do i have (?:cancer|diabetes|covid|an infection)|diagnose (?:me|my))\b/,
];

/** A short message that ends with a farewell is one, whatever thanks come before: "lovely, ta, bye". */
const farewell = /\b(?:bye(?: bye)?|goodbye|good bye|see (?:you|ya)|take care|cheerio|ta[- ]?ra)[\s.!]*$/;
const FAREWELL_WORDS = 8;

/** What a sentence that asks nothing does: greets, thanks, agrees; null for none of it. */
export function socialAct(sentence: string): Act | null {
  const s = normalize(sentence).trim();
  if (farewell.test(s) && s.split(/\s+/).length <= FAREWELL_WORDS) return 'goodbye';
  for (const [act, pattern] of social)
    if (pattern.test(s) && (act !== 'greeting' || s.split(/\s+/).length <= 4)) return act;
  return null;
}

/** What a sentence that asks does besides: wants a person, or what is not the business's matter. */
export function askingAct(sentence: string): Act | null {
  const s = normalize(sentence);
  if (outside.some((pattern) => pattern.test(s.replace(/(?<![?.!\s])[?.!\s]+$/, '')))) return 'outside';
  if (advice.some((pattern) => pattern.test(s))) return 'advice';
  for (const [act, pattern] of questions) if (pattern.test(s.trim())) return act;
  return null;
}

/** Whether a message, normalised, is after the instructions. */
export const isInjection = (message: string): boolean => injections.some((pattern) => pattern.test(message));
