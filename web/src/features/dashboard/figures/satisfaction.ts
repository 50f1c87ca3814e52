import { type Sentiment, sentiments } from '#shared/conversations';

interface Satisfaction {
  /** Conversations by label; an unknown label counts as neutral. */
  counts: Record<Sentiment, number>;
  total: number;
  /** Share of conversations that left the customer content (positive or neutral), in whole percent. */
  percent: number;
}

export function satisfaction(breakdown: Readonly<Record<string, number>>): Satisfaction {
  const counts: Record<Sentiment, number> = { positive: 0, neutral: 0, negative: 0, urgent: 0 };
  for (const [label, count] of Object.entries(breakdown)) {
    const sentiment = sentiments.find((each) => each === label) ?? 'neutral';
    counts[sentiment] += Math.max(0, count);
  }
  const total = sentiments.reduce((sum, each) => sum + counts[each], 0);
  const happy = counts.positive + counts.neutral;
  return { counts, total, percent: total === 0 ? 0 : Math.round((happy / total) * 100) };
}
