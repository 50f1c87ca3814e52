import type { Sentiment } from '#shared/conversations';

/**
 * Fills of the four sentiments for drawings, distinguishable without colours: neutral is pale and positive is plain,
 * negative has thin rising lines, urgent has dense falling lines.
 * @param id makes the patterns' names unique in the page
 */
export function SentimentPatterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-positive`} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" fill="var(--positive)" />
      </pattern>
      <pattern id={`${id}-neutral`} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" fill="var(--neutral)" fillOpacity="0.5" />
      </pattern>
      <pattern
        id={`${id}-negative`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="6" height="6" fill="var(--negative)" />
        <rect width="1.5" height="6" fill="var(--surface)" />
      </pattern>
      <pattern
        id={`${id}-urgent`}
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <rect width="4" height="4" fill="var(--urgent)" />
        <rect width="0.8" height="4" fill="var(--ink)" />
      </pattern>
    </defs>
  );
}

export const patternFill = (id: string, sentiment: Sentiment): string => `url(#${id}-${sentiment})`;
