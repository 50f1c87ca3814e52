import { packOf } from '#server/languages/index';
import type { AgentProfile } from './contract.ts';

/**
 * Up to three topics from the headings of the agent's information, in the words of a sentence ("returns" of "Returns
 * and refunds"). Reads only the first part of the text, so that a greeting does not wait for an index.
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
