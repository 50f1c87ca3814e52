import { describe, expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { sayPlaces } from '../knowledge/choose.ts';
import { readPassages } from '../passages/read.ts';
import { furtherIn, saidOf } from './said-of.ts';

const language = packOf('en');

/** The words said of a text's only passage. */
function said(text: string, question: string, { isOffer = false, likeness = null as number[] | null } = {}) {
  const [passage] = readPassages(text, language);
  if (!passage) throw new Error('Nothing was read.');
  const places = passage.statements.map((_, at) => at);
  const saying = sayPlaces(passage, places, language.documents);
  const asked = { own: question, all: question };
  const { sentences, places: told, rest } = saidOf(saying, asked, likeness, language, isOffer);
  return { text: sentences.join(' '), rest, further: furtherIn(passage, told, question, language).sentences };
}

const workshops = `## Workshops

Our pottery workshop takes place every Saturday at two in the afternoon in the old mill. You bring an apron, and we have clay and tools for everybody who comes. Children under twelve come with a grown-up who stays with them all the time. What is made is fired and kept for three weeks.`;

describe('what is said of a passage', () => {
  test('is at most about 35 words, those that bear on the question most', () => {
    const { text, further } = said(workshops, 'Can children come?', { likeness: [0.2, 0.1, 0.8, 0.1] });
    expect(text).toContain('Children under twelve');
    expect(text.split(' ').length).toBeLessThanOrEqual(40);
    expect(further.join(' ')).not.toContain('Children under twelve');
    expect(further.length).toBeGreaterThan(0);
  });

  test('of an offer is less, and the rest waits for a yes', () => {
    const { text, rest } = said(workshops, 'Can children come?', {
      isOffer: true,
      likeness: [0.2, 0.1, 0.8, 0.1],
    });
    expect(text).toMatch(/^Children under twelve come with a grown-up who stays with them all the time\./);
    expect(text).not.toContain('pottery');
    expect(rest?.sentences.join(' ')).toContain('pottery');
  });

  test('leaves out headings and bare questions, never the only words', () => {
    const list = 'Contact Us\n\nHow do I park?\n\nThe car park behind the mill is open until ten.';
    expect(said(list, 'Where can I park?').text).toContain('The car park behind the mill');
    expect(said('## Payment\n\nCash only', 'How can I pay?').text).toContain('Cash only');
  });

  test('of a table is the row that was named, as a sentence', () => {
    const table = '## Boats\n\n| Boat | Price |\n|---|---|\n| Kayak | £9 |\n| Canoe | £14 |\n| Raft | £30 |';
    expect(said(table, 'How much is the canoe?').text).toBe("For Canoe, it's £14.");
    expect(said(table, 'What do you charge?').text).toBe(
      "It's £9 for Kayak, £14 for Canoe and £30 for Raft.",
    );
  });
});
