/** Openings of an instruction to an agent. */
const opens =
  /^(?:please |first |then |also |only |always |never |do not |don't |under no circumstances |you (?:must|should|may|can|will) (?:always |never |not |only )?|if (?:in doubt|unsure)[, ]+)*(?:be|use|keep|speak|talk|respond|reply|answer|greet|ask|offer|avoid|remember|stay|act|pretend|mention|mirror|apologi[sz]e|escalate|transfer|refer|say|tell|thank|start|end|begin|finish|close|open|introduce|make|ensure|confirm|check|verify|give|provide|suggest|recommend|encourage|invite|promise|discuss|share|reveal|disclose|guess|invent|quote|repeat|show|treat|try|let|focus|follow|handle|help|assist|explain|summari[sz]e|write|prefer|limit|listen|acknowledge|collect|note|record|log|route|forward|remind|do)\b/i;
const forbids = /^(?:always|never|do not|don't|under no circumstances|you (?:must|should)\b)/i;
const casts =
  /^(?:you are (?!not |entitled|allowed|required|covered|charged|welcome)|your (?:name|role|job|task|goal|tone|personality|instructions)\b|as an? (?:\w+ ){0,3}(?:assistant|agent)\b)|\bsystem prompt\b/i;
const clauseBefore = /^(?:if|when|whenever|for|in case|should)\b[^,]{1,140}, /i;
const ofCustomers = /\b(?:the|a) (?:caller|customer|user)s?\b/i;

/** Whether a sentence of a prompt tells the agent how to behave, rather than informing customers. */
export function isSteering(sentence: string): boolean {
  const text = sentence.trim();
  if (casts.test(text) || opens.test(text) || forbids.test(text)) return true;
  const main = text.replace(clauseBefore, '');
  if (main !== text) return opens.test(main) || forbids.test(main);
  return ofCustomers.test(text) && opens.test(text.replace(/^[^,]*, /, ''));
}
