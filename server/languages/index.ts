import type { LanguagePack } from './contract.ts';
import { english } from './en/index.ts';
import { withFiguresElsewhere } from './figures-elsewhere.ts';

/** Languages that the server itself knows; configured engines may know others. */
const packs: readonly LanguagePack[] = [english];

/** Whether the server itself knows a language, by its tag or family. */
export const isOfPack = (tag: string): boolean =>
  packs.some((pack) => [tag.toLowerCase(), tag.toLowerCase().split('-')[0]].includes(pack.tag.toLowerCase()));

/**
 * The pack of a language.
 * @param tag BCP 47; falls back to the family ("en-GB" → "en"), and for unknown languages to English, which
 * the embedded models read and speak
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

/** Converts spoken numbers to digits, one function per known language. */
export const everyWayOfFigures = (): readonly ((text: string) => string)[] => [
  ...packs.map(({ messages }) => messages.withFigures),
  withFiguresElsewhere,
];
