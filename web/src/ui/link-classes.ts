/** A link within a sentence. */
export const linkClasses =
  'rounded-sm font-medium text-accent-text underline decoration-accent-line decoration-1 underline-offset-4 hover:decoration-current';
