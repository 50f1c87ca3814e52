import { normalize } from '../words.ts';

/** Longer text is informative, whatever its form. */
const HEADING_WORDS = 6;
const OPTION_WORDS = 6;

const finite =
  /\b(?:is|are|was|were|be|am|has|have|had|do|does|did|can|could|will|would|may|might|must|should|shall|cannot|needs?|please)\b/;
const asksAhead = /^(?:how|what|when|where|which|who|why|whether)\b/;

/**
 * Whether written words are informative by themselves. Headings, menu entries and questions of a list are
 * not; figures, addresses, verbs and whole sentences are.
 */
export function tells(written: string): boolean {
  const text = written.trim();
  if (/\?["”’)]*$/.test(text)) return false;
  const words = text.split(/\s+/);
  if (words.length > HEADING_WORDS || /[\d@:]|[.!…]["”’)]*$/.test(text)) return true;
  const said = normalize(text);
  if (asksAhead.test(said)) return false;
  if (finite.test(said)) return true;
  return words.length > 2 && words.some((word) => /^\p{Ll}[\p{L}’'-]{3,}/u.test(word));
}

/** Words that cannot begin a thing's name. */
const noBeginning =
  /^(?:for|from|although|though|if|when|while|because|not|no|over|under|to|at|in|on|with|without|by|and|or|as|all|welcome|about|contact|see|find out|whether|what|which|who|where|why|how(?! to\b))\b/;
/** Words that name no thing of a business. */
const empty =
  /^(?:(?:additional|further|general|more|other|useful|key|important|extra) )?(?:info(?:rmation)?|details|notes?|problems?|solutions?|articles?|examples?|steps?|options?|categor(?:y|ies)|sections?)$/;
const noEnd = /\b(?:a|an|the|of|to|for|and|or|not|with|in|on|at|by|your|our|you)$|['’]s$/;
const subject = /\b(?:i|we|you|they|he|she|it|there)\b/;

/**
 * Whether a topic can be named as what the customer means: "late returns" can, "if we are closed" and "P.O.
 * Box 9" cannot.
 */
export function isNameable(topic: string): boolean {
  const said = topic.toLowerCase();
  const isWay = said.startsWith('how to ');
  return (
    topic !== '' &&
    said.split(/\s+/).length <= OPTION_WORDS &&
    !/[.:;,!?@|/…]|\d{3}/.test(topic) &&
    !noBeginning.test(said) &&
    !noEnd.test(said) &&
    !empty.test(said) &&
    (isWay || !(subject.test(said) || finite.test(said)))
  );
}

/** Singular nouns without an article: materials, deeds and states. */
const massNoun =
  /(?:s|ing|ion|ment|ness|[ae]nce|age|ity|[a-z]ery|ware|water|wi-?fi|money|food|breakfast|lunch|dinner|support|help|work|advice|luggage|service|care)$/;

/** A topic with the article it needs: "the lost card", "late returns", "parking". */
export function namedTopic(topic: string): string {
  const words = topic.split(/\s+/);
  const last = words.at(-1) ?? '';
  const isBare =
    words.length > 4 ||
    /^(?:how to|this|that|\w+ing)\b|\b(?:an?|the|your|our|my)\b/i.test(topic) ||
    /[A-Z]/.test(words[0] ?? '') ||
    massNoun.test(last.toLowerCase()) ||
    !/\p{L}$/u.test(last);
  return isBare ? topic : `the ${topic}`;
}
