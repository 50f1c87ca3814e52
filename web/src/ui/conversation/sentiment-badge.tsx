import type { Sentiment } from '#shared/conversations';
import { t } from '#web/texts/common';
import { Badge } from '#web/ui/badge';

export const sentimentNames: Record<Sentiment, string> = {
  positive: t('sentiments.positive'),
  neutral: t('sentiments.neutral'),
  negative: t('sentiments.negative'),
  urgent: t('sentiments.urgent'),
};

/** Solid colours of sentiments, for points and bars. */
export const sentimentFills: Record<Sentiment, string> = {
  positive: 'bg-positive',
  neutral: 'bg-neutral',
  negative: 'bg-negative',
  urgent: 'bg-urgent',
};

export function SentimentBadge({ sentiment }: { sentiment: Sentiment }) {
  return (
    <Badge tone={sentiment}>
      <span aria-hidden="true" className={`size-1.5 rounded-full ${sentimentFills[sentiment]}`} />
      {sentimentNames[sentiment]}
    </Badge>
  );
}
