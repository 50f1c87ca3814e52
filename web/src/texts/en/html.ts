/** Of `web/index.html`, which is read before, or without, any script. */
export const html = {
  description: 'Sigma answers your customers by text and by voice, from what your company wrote.',
  needsJavaScript: 'Sigma needs JavaScript. Turn it on and reload the page.',
} as const;
