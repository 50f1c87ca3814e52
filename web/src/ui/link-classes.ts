/** Classes of a link within a sentence. */
export const linkClasses =
  'rounded-sm font-medium text-accent-text underline decoration-accent-line decoration-1 underline-offset-4 hover:decoration-current';

/** A link above a page, to the list that it was opened from. */
export const backClasses =
  '-ml-1.5 mb-4 inline-flex h-8 items-center gap-1.5 rounded-sm px-1.5 font-medium text-ink-muted text-sm transition-colors hover:text-ink';
