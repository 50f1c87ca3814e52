/** One word of a phrase: any of several, or none where it may be left out. */
interface Slot {
  words: ReadonlySet<string>;
  isOptional: boolean;
}
export type Phrase = readonly Slot[];

/** Phrases, one a line: "go right? ahead", "no problem|worries"; `{name}` stands for the words of that name. */
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

/** The places behind a phrase that begins at a place: several where words may be left out. */
export function endsOf(phrase: Phrase, words: readonly string[], at: number): number[] {
  let places = [at];
  for (const { words: wanted, isOptional } of phrase) {
    const next = places.flatMap((place) => (wanted.has(words[place] ?? '') ? [place + 1] : []));
    places = isOptional ? [...new Set([...places, ...next])] : next;
    if (places.length === 0) return [];
  }
  return places.filter((place) => place > at);
}

/** Things by the words that their phrases may begin with. */
export function indexed<Thing>(
  things: readonly Thing[],
  phraseOf: (thing: Thing) => Phrase,
): ReadonlyMap<string, readonly Thing[]> {
  const index = new Map<string, Thing[]>();
  for (const thing of things)
    for (const word of firstWordsOf(phraseOf(thing))) index.set(word, [...(index.get(word) ?? []), thing]);
  return index;
}

/** The words that a phrase may begin with. */
export function firstWordsOf(phrase: Phrase): Set<string> {
  const place = phrase.findIndex(({ isOptional }) => !isOptional);
  return new Set(phrase.slice(0, place + 1).flatMap(({ words }) => [...words]));
}
