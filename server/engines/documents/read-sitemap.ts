import type { Sitemap } from './contract.ts';
import { decodeText } from './decode-text.ts';

/**
 * The addresses on its own host that a sitemap lists, in its order (sitemaps.org).
 * @param address the sitemap's own address
 * @param most addresses to return; the text after the last of them is not read
 */
export function readSitemap(bytes: Uint8Array, address: string, most: number): Sitemap {
  const text = decodeText(bytes);
  const { host } = new URL(address);
  const addresses = new Set<string>();
  for (const [, listed = ''] of text.matchAll(/<(?:\w+:)?loc>([^<]{1,2500})<\/(?:\w+:)?loc>/g)) {
    const url = listed.trim().replaceAll('&amp;', '&').replaceAll('&#38;', '&');
    if (!URL.canParse(url) || new URL(url).host !== host || addresses.has(url)) continue;
    if (addresses.size === most) return { addresses: [...addresses], isCut: true };
    addresses.add(url);
  }
  return { addresses: [...addresses], isCut: false };
}
