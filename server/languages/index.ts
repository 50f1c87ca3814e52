import type { LanguagePack } from './contract.ts';
import { english } from './en/index.ts';
import { withFiguresElsewhere } from './figures-elsewhere.ts';

/** The languages that the server knows by itself; engines that the settings name may know others. */
const packs: readonly LanguagePack[] = [english];

/** Whether the server knows a language itself, by its tag or its family. */
export const isOfPack = (tag: string): boolean =>
  packs.some((pack) => [tag.toLowerCase(), tag.toLowerCase().split('-')[0]].includes(pack.tag.toLowerCase()));

/**
 * What the server knows of a language.
 * @param tag BCP 47; of one that only its family is known of ("en-GB") the family counts, and of any other English: it
 *   is what the embedded models read and speak
 */
export function packOf(tag: string): LanguagePack {
  const wanted = tag.toLowerCase();
  const family = wanted.split('-')[0];
  return (
    packs.find((pack) => pack.tag.toLowerCase() === wanted) ??
    packs.find((pack) => pack.tag.toLowerCase() === family) ??
    english
  );
}

/** Writes numbers said in words as figures, a way for each language that anything is known of. */
export const everyWayOfFigures = (): readonly ((text: string) => string)[] => [
  ...packs.map(({ messages }) => messages.withFigures),
  withFiguresElsewhere,
];
