/** In the order of the classifier's outputs. Separate from the schemas, because its thread works without zod. */
export const sentiments = ['positive', 'neutral', 'negative', 'urgent'] as const;
