/** In the order of the classifier's outputs. Apart from the schemas, because its thread does without zod. */
export const sentiments = ['positive', 'neutral', 'negative', 'urgent'] as const;
