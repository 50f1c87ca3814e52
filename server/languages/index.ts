import type { LanguagePack } from './contract.ts';
import { english } from './en/index.ts';

/** The languages that the server knows by itself; engines that the settings name may know others. */
const packs: readonly LanguagePack[] = [english];

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
