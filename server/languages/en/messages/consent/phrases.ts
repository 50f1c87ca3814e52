/** One word of a phrase: a choice of words, possibly optional. */
interface Slot {
  words: ReadonlySet<string>;
  isOptional: boolean;
}
export type Phrase = readonly Slot[];

/**
 * Parses phrases, one a line: "go right? ahead", "no problem|worries"; `{name}` stands for a named word list.
 */
export function phrasesOf(text: string, named: Readonly<Record<string, string>> = {}): Phrase[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) =>
      line.split(/\s+/).map((slot) => {
        const isOptional = slot.endsWith('?');
        const words = (isOptional ? slot.slice(0, -1) : slot)
          .split('|')
          .flatMap((word) => (word.startsWith('{') ? (named[word.slice(1, -1)] ?? '').split(/\s+/) : [word]));
        return { words: new Set(words), isOptional };
      }),
    );
}

/** Ends of a phrase that begins at an index: several if words are optional. */
export function endsOf(phrase: Phrase, words: readonly string[], at: number): number[] {
  let places = [at];
  for (const { words: wanted, isOptional } of phrase) {
    const next = places.flatMap((place) => (wanted.has(words[place] ?? '') ? [place + 1] : []));
    places = isOptional ? [...new Set([...places, ...next])] : next;
    if (places.length === 0) return [];
  }
  return places.filter((place) => place > at);
}

/** Indexes things by the possible first words of their phrases. */
export function indexed<Thing>(
  things: readonly Thing[],
  phraseOf: (thing: Thing) => Phrase,
): ReadonlyMap<string, readonly Thing[]> {
  const index = new Map<string, Thing[]>();
  for (const thing of things)
    for (const word of firstWordsOf(phraseOf(thing))) index.set(word, [...(index.get(word) ?? []), thing]);
  return index;
}

/** The possible first words of a phrase. */
export function firstWordsOf(phrase: Phrase): Set<string> {
  const place = phrase.findIndex(({ isOptional }) => !isOptional);
  return new Set(phrase.slice(0, place + 1).flatMap(({ words }) => [...words]));
}
