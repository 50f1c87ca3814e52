import type { LanguagePack } from '#server/languages/contract';
import type { AgentProfile } from '../contract.ts';

/** So many words in a row from an instruction are no coincidence. */
const RUN = 8;

/**
 * Detects sentences that reveal the agent's instructions: a run of words from its personality or the standing
 * instructions. Company information and fixed words may be said.
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
