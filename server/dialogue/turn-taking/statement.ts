/** What a statement that can be over leaves open. */
export type StatementKind = 'request' | 'finished' | 'open-ended';

const lead =
  '(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|so|well|okay|ok|yes|yeah|no|and|but|then|also|right|sigma|there),? )*';

/** Says what the agent is to do, or closes with thanks. */
const asked = new RegExp(
  `\\bplease\\b|\\b(?:thanks|thank you)\\b|^${lead}(?:(?:i|we)(?:'d| would)? (?:like|love|need|want|have) to (?:[\\w'-]+ ){2,}|(?:i|we)(?:'d| would) like (?:[\\w'-]+ ){2,}|(?:cancel|send|tell|give|show|call|change|book|connect|transfer|explain|repeat|let me know)\\b)`,
);

/**
 * Only says what happened before: "I bought a kettle last week", "I have an account with you". Nobody calls to say that; what is
 * wrong, or wanted, comes next.
 */
const background = new RegExp(
  `^${lead}(?:i|we)(?:(?:'ve| have)(?: just| recently)?| just| recently)? (?:bought|ordered|booked|purchased|got|received|rented|moved|paid|placed|called|spoke|talked|registered|opened|installed|downloaded|signed|subscribed|visited|stayed|made|have (?:an?|my|your) (?:account|order|subscription|contract|booking|reservation|ticket|voucher|card)|had (?:an?|my) (?:order|booking|reservation|appointment|delivery))\\b`,
);
const complaint =
  /\b(?:not|no|never|none|nothing|nobody|wrong|broken|damaged|defective|cracked|faulty|empty|missing|lost|late|twice|double|instead|only|problem|issue|error|bill|too|still|already|refund|back|but|again|anymore|question|\w+n't)\b/;

/**
 * Reads a statement whose words can be the last ones.
 * @param said one sentence, in lower case
 */
export function kindOfStatement(said: string): StatementKind {
  if (asked.test(`${said.replace(/[.,!\s]+$/, '')} `)) return 'request';
  return background.test(said) && !complaint.test(said) ? 'open-ended' : 'finished';
}
