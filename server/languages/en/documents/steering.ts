/** Ways of telling an agent how to behave; such a sentence steers and is never quoted. */
const behaviour: RegExp[] = [
  /^(?:please )?(?:always |never |do not |don't )?(?:be|stay|remain|sound|act|speak|talk|reply|respond|greet|introduce yourself|address|pretend|apologi[sz]e|empathi[sz]e|reassure|mirror|smile|answer|keep (?:your |the |all |every )?(?:answers?|replies|responses?|sentences?|it|tone|messages?|conversation))\b/i,
  /\b(?:your|a|an|the) (?:[\w-]+ ){0,3}(?:tone|persona|personality|style of speech|manner)\b/i,
  /^you are (?!not (?:charged|billed)|entitled|welcome|covered|free to|eligible|responsible|required|allowed|able|charged|billed)(?:[A-Z]|a |an |the |our |now |called |helping |speaking |talking )/i,
  /^(?:your (?:name|role|job|task|goal|mission) is|act as|as an? (?:ai|assistant|support agent|customer service agent|helpful)\b)/i,
  /^as (?:an?|the) (?:[\w-]+ ){0,3}(?:agent|representative|assistant)\b.*\byou (?:can|may|should|must|will)\b/i,
  /\b(?:system prompt|these instructions|this prompt|your instructions|tool call|make (?:a|one) (?:tool )?call to|function call)\b/i,
  /\b[a-z]+(?:_[a-z0-9]+){1,}\b/,
  /\b(?:do not|don't|never|must not|should not) (?:reveal|disclose|share internal|mention (?:that|competitors|these|this|internal)|discuss (?:politics|religion|competitors)|make up|invent|guess|speculate|promise|give (?:medical|legal|tax|financial) advice|give subjective|argue|use (?:slang|jargon|emoji|emojis))\b/i,
  /\b(?:if|when(?:ever)?|once) (?:you (?:do not|don't|cannot|can't|are (?:not sure|unsure)) (?:know|help|answer|find|resolve|sure)|unsure|in doubt|you don't know)\b/i,
  /\b(?:offer|transfer|escalate|hand over|connect|refer) (?:the (?:caller|customer|user)|them|him|her|it|the call)? ?to (?:a human|a colleague|a supervisor|a human agent)\b.{0,200}\b(?:you|tool|if and only)\b/i,
  /\b(?:use|using) (?:the )?(?:caller|customer|user)'s (?:first )?name\b/i,
  /^(?:use|avoid) (?:a |an |simple|plain|short|emoji|slang|jargon|formal|informal|british|american|humou?r|exclamation|contractions|bullet|markdown)\b/i,
  /\b(?:small talk|upsell|cross-sell)\b/i,
];

/** Verbs that open an instruction to the agent when they stand first in a prompt. */
const imperative =
  /^(?:please )?(?:(?:always|never|do not|don't|first|then|also|only) )?(?:be|use|keep|speak|talk|respond|reply|answer|greet|ask|offer|avoid|remember|stay|act|pretend|mention|mirror|apologi[sz]e|escalate|transfer|refer|say|tell|thank|start|end|begin|finish|close|open|introduce|make|ensure|confirm|check|verify|give|provide|suggest|recommend|encourage|invite|promise|discuss|share|reveal|disclose|guess|invent|quote|repeat|show|treat|try|let|focus|follow|handle|help|assist|explain|summari[sz]e|write|prefer|limit|listen|acknowledge|collect|note|record|log|route|forward|remind|do)\b/i;

const alwaysNever =
  /^(?:always|never|do not|don't|under no circumstances|you (?:must|should)\b|you (?:may|can|will) (?:always|never|not|only)\b)/i;

/** Whether a sentence tells the agent how to behave instead of telling a customer something. */
export function isSteering(
  sentence: string,
  { isPrompt, isAnswer }: { isPrompt: boolean; isAnswer: boolean },
): boolean {
  const text = sentence.trim();
  if (behaviour.some((pattern) => pattern.test(text))) return true;
  if (isAnswer || !isPrompt) return false;
  if (imperative.test(text) || alwaysNever.test(text)) return true;
  const isConditional =
    /^(?:if|when|whenever|for|in case|should) [^,]{3,120}, (?:please )?(?:always |never |do not |don't |you (?:must|should) )?/i;
  if (isConditional.test(text) && imperative.test(text.replace(/^[^,]{3,140}, /, ''))) return true;
  return (
    /\b(?:the|a) (?:caller|customer|user)s?\b/i.test(text) && imperative.test(text.replace(/^[^,]*, /, ''))
  );
}
