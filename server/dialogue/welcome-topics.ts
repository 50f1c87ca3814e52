import { packOf } from '#server/languages/index';
import type { AgentProfile } from './contract.ts';

/**
 * Up to three things the agent's information has headings for, in the words of a sentence ("returns" of "Returns and refunds").
 * Reads the first part of the text only, so that a greeting waits for no index.
 */
export function welcomeTopics({
  companyInfo,
  companyName,
  language,
}: Pick<AgentProfile, 'companyInfo' | 'companyName' | 'language'>): string[] {
  const { topics } = packOf(language);
  const found = [...companyInfo.slice(0, 30_000).matchAll(/^(#{1,3})\s+(.{3,60})$/gm)].flatMap((match) => {
    const heading = (match[2] ?? '')
      .replace(/[*_#`]/g, '')
      .replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')
      .trim();
    const names = heading.toLowerCase().includes(companyName.toLowerCase());
    const topic = names ? null : topics.forWelcome(heading);
    return topic === null ? [] : [{ level: match[1]?.length ?? 1, topic }];
  });
  const chosen = [1, 2, 3]
    .map((level) => found.filter((one) => one.level === level))
    .find((list) => list.length >= 2);
  return [...new Set(chosen?.map(({ topic }) => topic))].slice(0, 3);
}
