let sentences = 0;
/** Twelve words that were never spoken before, so that no cache answers; the sentence repeats after 22,400. */
export function freshSentence(): string {
  let n = sentences++;
  const next = (words: readonly string[]) => {
    const word = words[n % words.length];
    n = Math.floor(n / words.length);
    return word;
  };
  const name = next([
    'Anna',
    'Boris',
    'Clara',
    'David',
    'Elena',
    'Felix',
    'Greta',
    'Henry',
    'Irene',
    'Jonas',
  ]);
  const item = next(['kettle', 'speaker', 'toaster', 'lamp', 'heater', 'camera', 'blender', 'printer']);
  const colour = next(['black', 'silver', 'white', 'green', 'yellow', 'purple', 'orange', 'golden']);
  const day = next(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']);
  const city = next(['Berlin', 'Lisbon', 'Vienna', 'Oslo', 'Madrid', 'Dublin', 'Prague']);
  return `${name}, your ${colour} ${item} was packed on ${day} and leaves ${city} tomorrow.`;
}
