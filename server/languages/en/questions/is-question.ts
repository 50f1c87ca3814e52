import { normalize } from '../words.ts';

/** Question words. */
const asking = 'what|how|when|where|which|who|whom|whose|why';
/** Words that make a question when they come first. */
const inverted = 'is|are|am|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have';
const opens = new RegExp(`^(?:${asking}|${inverted})\\b`, 'i');
const opensWish = /^(?:any|tell me|explain|describe|list|give me|show me|let me know)\b/;
const leadIns = /^(?:(?:and|or|but|so|also|then|please|well)[, ]+)*/;
/** Speech has no question marks: "ok and do they deliver food". */
const insideQuestion =
  /\b(?:do|does|did|can|could|is|are|will|would|may|should) (?:i|you|we|they|it|there|he|she)\b/;
const wish =
  /\b(?:wonder(?:ing)? (?:if|how|what|when|where|whether)|want to know|like to know|need to know|tell me|not sure (?:if|how|what|when|where|whether)|question about|information (?:about|on)|do you know)\b/;

/** Whether a sentence without leading greetings or connectors is a question: by its mark or first word. */
export const isQuestion = (sentence: string): boolean =>
  sentence.trim().endsWith('?') || opens.test(sentence);

/** Whether a sentence asks for information, in any form. */
export function asksFor(sentence: string): boolean {
  if (sentence.includes('?')) return true;
  const said = normalize(sentence);
  const bare = said.replace(leadIns, '');
  return isQuestion(bare) || opensWish.test(bare) || insideQuestion.test(said) || wish.test(said);
}

const questionWord =
  '(?:what|how|when|where|which|who|why|is there|are there|do you|does|can i|can you|do i|is it|will|could i|am i)';

/** "Or do you only take cash?": the alternative to the previous question. */
export const isAlternative = (sentence: string): boolean => /^or\b/i.test(sentence);

/** "How long do refunds take and how much is shipping?" is two questions; parts joined by "or" are one. */
export function splitQuestions(sentence: string): string[] {
  const parts = sentence.split(new RegExp(`(?:,? and(?: also)?|,|;) (?=${questionWord}\\b)`, 'i'));
  const questionsFound: string[] = [];
  for (const part of parts) {
    const before = questionsFound.at(-1);
    const standsAlone =
      new RegExp(`^(?:and |also |so |but )?${questionWord}\\b`, 'i').test(part) &&
      part.split(/\s+/).length >= 3;
    if (
      before !== undefined &&
      (!standsAlone || before.split(/\s+/).length < 3 || !new RegExp(questionWord, 'i').test(before))
    )
      questionsFound[questionsFound.length - 1] = `${before} and ${part}`;
    else questionsFound.push(part);
  }
  return questionsFound
    .map((q) => q.trim())
    .filter(Boolean)
    .slice(0, 5);
}
