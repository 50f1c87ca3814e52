import { describe, expect, it } from 'vitest';
import type { DocumentsEngine } from '#server/engines/documents/contract';
import { createFakeDocuments } from '#server/engines/documents/fake';
import { createFakeOutside } from '#server/engines/outside/fake';
import { readAddress } from './read-address.ts';

const SHOP = 'https://shop.example';
const locations = (addresses: readonly string[]) =>
  addresses.map((address) => `<url><loc>${SHOP}${address}</loc></url>`).join('\n');
const urlset = (addresses: readonly string[]) =>
  `<?xml version="1.0"?><urlset>${locations(addresses)}</urlset>`;
const index = (addresses: readonly string[]) =>
  `<?xml version="1.0"?><sitemapindex>${locations(addresses)}</sitemapindex>`;
const many = (count: number, name: string) => Array.from({ length: count }, (_, n) => `/${name}-${n}`);
const pages = (addresses: readonly string[]) =>
  Object.fromEntries(addresses.map((address) => [SHOP + address, `<title>T</title>Page ${address}`]));

async function read(answers: Record<string, string>, address: string) {
  const outside = createFakeOutside(answers);
  const fake = createFakeDocuments();
  let sitemaps = 0;
  const documents: DocumentsEngine = {
    ...fake,
    readSitemap: (...asked) => {
      sitemaps++;
      return fake.readSitemap(...asked);
    },
  };
  const around = { outside, documents, work: { account: 'mine' }, scan: async () => {} };
  const answer = await readAddress(around, SHOP + address, new AbortController().signal);
  const fetched = outside.asked.map(({ url }) => url.replace(SHOP, ''));
  return { ...answer, fetched, sitemaps };
}

describe('a sitemap', () => {
  it('is read up to so many pages, and says that it lists more', async () => {
    const listed = many(300, 'page');
    const { parts, problem, fetched, sitemaps } = await read(
      { [`${SHOP}/sitemap.xml`]: urlset(listed), ...pages(listed) },
      '/sitemap.xml',
    );
    expect([parts.length, fetched.length]).toEqual([200, 201]);
    expect(problem).toBe('This sitemap lists more than the 200 pages that are read.');
    // Runs in a separate process, like the reading of files.
    expect(sitemaps).toBe(1);
  });

  it('says in one sentence what could not be read, and what was left out', async () => {
    const listed = many(300, 'page');
    const { problem } = await read(
      { [`${SHOP}/sitemap.xml`]: urlset(listed), ...pages(listed.slice(2)) },
      '/sitemap.xml',
    );
    expect(problem).toBe(
      '2 of 200 pages could not be read, and this sitemap lists more than the 200 pages that are read.',
    );
  });

  it('of more than 5 MB is not read', async () => {
    const large = urlset([`/page?${'x'.repeat(5_000_000)}`]);
    await expect(read({ [`${SHOP}/sitemap.xml`]: large }, '/sitemap.xml')).rejects.toThrow(
      'A sitemap of more than 5 MB is not read.',
    );
  });

  it('of sitemaps is followed to a few of them, each of 5 MB at most', async () => {
    const sitemaps = many(300, 'sitemap');
    const answers = Object.fromEntries(
      sitemaps.map((address, n) => [SHOP + address, urlset([`/page-${n}`])]),
    );
    const { parts, problem, fetched } = await read(
      { [`${SHOP}/index.xml`]: index(sitemaps), ...answers, ...pages(many(300, 'page')) },
      '/index.xml',
    );
    expect([parts.length, fetched.length]).toEqual([10, 21]);
    expect(problem).toBe('Only the first 10 of its sitemaps were looked at.');
  });

  it('of sitemaps is followed no further once there are pages enough', async () => {
    const [one = '', two = '', three = ''] = many(3, 'sitemap');
    const [first, second] = [many(150, 'first'), many(150, 'second')];
    const { parts, problem, fetched } = await read(
      {
        [`${SHOP}/index.xml`]: index([one, two, three]),
        [SHOP + one]: urlset(first),
        [SHOP + two]: urlset([...first, ...second]),
        ...pages([...first, ...second]),
      },
      '/index.xml',
    );
    expect(parts).toHaveLength(200);
    expect(problem).toBe('This sitemap lists more than the 200 pages that are read.');
    expect(fetched).not.toContain(three);
  });

  it('of sitemaps none of which can be read says so', async () => {
    const sitemaps = many(12, 'sitemap');
    await expect(read({ [`${SHOP}/index.xml`]: index(sitemaps) }, '/index.xml')).rejects.toThrow(
      '10 of its sitemaps could not be read, and only the first 10 of its sitemaps were looked at.',
    );
  });

  it('of sitemaps that cannot be read says of how many, and reads the others', async () => {
    const { parts, problem } = await read(
      {
        [`${SHOP}/index.xml`]: index(['/gone', '/a-page', '/sitemap']),
        [`${SHOP}/a-page`]: '<title>T</title>No sitemap',
        [`${SHOP}/sitemap`]: urlset(['/page-0']),
        ...pages(['/page-0']),
      },
      '/index.xml',
    );
    expect(parts).toHaveLength(1);
    expect(problem).toBe('2 of its sitemaps could not be read.');
  });
});
