import type { AgentProfile } from './contract.ts';

/** Headings that name no topic. */
const notTopics =
  /^(?:about|introduction|overview|welcome|general|faqs?|frequently asked|contents?|table of|notes?|policy|policies|internal|version|contact|domain|company|who we are|our (?:story|company|mission)|summary|background|misc|other|important|basics?|guidelines?|instructions?|rules?|scope|purpose|generic|more|questions)\b/i;

/**
 * Up to three things the agent's information has headings for, in the words of a sentence ("returns" of "Returns and refunds").
 * Reads the first part of the text only, so that a greeting waits for no index.
 */
export function welcomeTopics(agent: Pick<AgentProfile, 'companyInfo' | 'companyName'>): string[] {
  const headings = [...agent.companyInfo.slice(0, 30_000).matchAll(/^(#{1,3})\s+(.{3,60})$/gm)].map(
    (match) => ({
      level: match[1]?.length ?? 1,
      text: (match[2] ?? '')
        .replace(/[*_#`]/g, '')
        .replace(/^\d+(?:\.\d+)*[.)]?\s+/, '')
        .trim(),
    }),
  );
  const levels = [1, 2, 3].map((level) =>
    headings.filter((h) => h.level === level && isTopic(h.text, agent.companyName)),
  );
  const chosen = levels.find((list) => list.length >= 2) ?? [];
  return [...new Set(chosen.map((h) => firstOf(spoken(h.text))))].slice(0, 3);
}

/** A list of topics has one "and" only, before the last. */
const firstOf = (topic: string) => topic.split(/,| and /)[0]?.trim() ?? topic;

const isTopic = (text: string, company: string) =>
  !/[?:!.]/.test(text) &&
  text.split(/\s+/).length <= 4 &&
  !notTopics.test(text) &&
  !text.toLowerCase().includes(company.toLowerCase());

const spoken = (text: string) =>
  text
    .split(' ')
    .map((word) => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/\s*&\s*/g, ' and ')
    .replace(/^our /, '');
