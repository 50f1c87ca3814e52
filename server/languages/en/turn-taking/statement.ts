/** What a possibly complete statement leaves open. */
type StatementKind = 'request' | 'finished' | 'open-ended';

const lead =
  '(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|so|well|okay|ok|yes|yeah|no|and|but|then|also|right|sorry|sigma|there),? )*';
/** A customer who orders often continues with the next item. */
const ordering = '(?:order|buy|get|have|add|book|reserve|make|ask|know|see|say|tell)';

/** Requests, and closing thanks. */
const asked = new RegExp(
  `\\bplease\\b|\\b(?:thanks|thank you)\\b|^${lead}(?:(?:i|we)(?:'d| would)? (?:like|love|need|want|have) to (?!${ordering}\\b)(?:[\\w'-]+ ){3,}|(?:cancel|send|tell|give|show|call|change|connect|transfer|explain|repeat|let me know)\\b)`,
);

/** About oneself: "I bought a kettle last week", "we are arriving on Friday", "the name is Robert". */
const personal = new RegExp(
  `^${lead}(?:(?:i|we|my|our)(?:'\\w+)?\\b(?: [\\w'-]+){2,}|(?:the|it|that)\\b.*\\b(?:name|address|street|date|day|time|place|city|model|colou?r|size|type|brand|number|code)\\b.*\\bis\\b)`,
);

/** A problem, wish or feeling: with it the point is made. */
const point =
  /\b(?:not|no|never|none|nothing|nobody|wrong|broken?|damaged|defective|crack(?:ed|s)?|crash(?:es|ed|ing)?|faulty|empty|miss(?:ed|es|ing)|lost|lose|late|twice|double|instead|only|problems?|issues?|trouble|errors?|too|still|already|back|but|again|anymore|want|need|like|wish|prefer|rather|hope|think|believe|guess|sure|happy|sorry|glad|appreciate|agree|understand|thought|angry|upset|disappointed|unhappy|satisfied|worried|help|forgot|forgotten|expired|fail(?:s|ed)?|decline[ds]?|refused?|stop(?:s|ped)?|stuck|slow|expensive|small|large|big|long|short|supposed|should|cancel(?:led|ed)?|charged|keeps?|waiting|\w+n't)\b/;

/**
 * Classifies a statement with a possible end. Customers do not call to say that they bought a kettle last
 * week: such a background leads to a problem or wish, so wait for that.
 * @param said one sentence, in lower case
 */
export function kindOfStatement(said: string): StatementKind {
  const bare = said.replace(/(?<![.,!\s])[.,!\s]+$/, '');
  if (asked.test(`${bare} `)) return 'request';
  return personal.test(bare) && !point.test(bare) ? 'open-ended' : 'finished';
}
