import type { LanguagePack } from '#server/languages/contract';
import type { AgentProfile } from '../contract.ts';

/** So many words in a row from an instruction are no accident. */
const RUN = 8;

/**
 * Tells whether a sentence gives away what an agent was told to do: a run of words from its personality or from the
 * standing instructions. What stands in the company information, and what it is to say word for word, may be said.
 */
export function disclosureCheck(
  agent: AgentProfile,
  instructions: string,
  { normalize }: LanguagePack['words'],
): (sentence: string) => boolean {
  const runsOf = (text: string) => runsIn(normalize(text));
  const { greeting = '', goodbye = '', answers = [] } = agent.sayings ?? {};
  const open = runsOf([agent.companyInfo, greeting, goodbye, ...answers.map(({ say }) => say)].join('\n'));
  const secret = new Set(
    [...runsOf(`${agent.personality}\n${instructions}`)].filter((run) => !open.has(run)),
  );
  return (sentence) => [...runsOf(sentence)].some((run) => secret.has(run));
}

function runsIn(text: string): Set<string> {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const runs = new Set<string>();
  for (let i = 0; i + RUN <= words.length; i++) runs.add(words.slice(i, i + RUN).join(' '));
  return runs;
}
