import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { nativeUsage } from '#server/threads/native-process';
import {
  aBombPdf,
  aDocx,
  aLockedPdf,
  aPdf,
  aRunLengthPdf,
  aTwofoldZip,
  aZip,
  docxFiles,
  wordParagraph,
} from '../../../tests/support/made-files.ts';
import { createDocuments } from './index.ts';

const documents = createDocuments();
afterAll(() => documents.close());

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array, name: string, mediaType?: string) =>
  documents.read({ bytes, name, ...(mediaType ? { mediaType } : {}) }, { account: 'mine' });
const TOO_LARGE = 'This file is far too large when it is unpacked. Divide it into several files.';
const refusal = (bytes: Uint8Array, name: string) =>
  read(bytes, name).then(
    () => 'read',
    (error: Error) => {
      expect(error).toMatchObject({ name: 'EngineError', retryable: false });
      return error.message;
    },
  );

describe('text', () => {
  it.each([
    ['UTF-8', bytesOf('Öffnungszeiten: 9–17 Uhr')],
    ['UTF-8 with its mark', bytesOf('\ufeffÖffnungszeiten: 9–17 Uhr')],
    ['UTF-16 with its mark', new Uint8Array(Buffer.from('\ufeffÖffnungszeiten: 9–17 Uhr', 'utf16le'))],
    ['UTF-16 without one', new Uint8Array(Buffer.from('Öffnungszeiten: 9–17 Uhr', 'utf16le'))],
    [
      'UTF-16, the large end first',
      new Uint8Array(Buffer.from('\ufeffÖffnungszeiten: 9–17 Uhr', 'utf16le').swap16()),
    ],
    ['Windows-1252', new Uint8Array(Buffer.from('\xd6ffnungszeiten: 9\x9617 Uhr', 'latin1'))],
  ])('reads %s', async (_, bytes) => {
    expect(await read(bytes, 'a.txt')).toEqual({
      kind: 'text',
      title: null,
      text: 'Öffnungszeiten: 9–17 Uhr',
    });
  });

  it('reads Markdown as it is', async () => {
    expect(await read(bytesOf('# Returns\n\nWithin 30 days.'), 'a.md')).toEqual({
      kind: 'markdown',
      title: null,
      text: '# Returns\n\nWithin 30 days.',
    });
  });

  it.each([
    ['rubbish', randomBytes(5_000)],
    [
      'a picture',
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.alloc(900, 7)]),
    ],
  ])('says that %s is no document', async (_, bytes) => {
    expect(await refusal(new Uint8Array(bytes), 'a.txt')).toContain('This is no document that can be read');
  });

  it('says that there is nothing in it', async () => {
    expect(await refusal(bytesOf(' \n '), 'a.txt')).toBe('This file holds no text.');
    expect(await refusal(new Uint8Array(), 'a.txt')).toBe('This file holds no text.');
  });

  it('takes no more than two million characters', async () => {
    expect(await refusal(bytesOf('many words '.repeat(200_000)), 'a.txt')).toContain('2,000,000 characters');
  });

  it('takes no more of a table whose long names of columns stand beside every answer', async () => {
    const table = `Question,Answer,${'n'.repeat(100_000)}\n${'How?,So.,x\n'.repeat(10_000)}`;
    expect(await refusal(bytesOf(table), 'a.csv')).toContain('2,000,000 characters');
  });

  it('says what to do with a file of an old Word', async () => {
    const old = new Uint8Array(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'));
    expect(await refusal(old, 'a.doc')).toContain('Save it as DOCX or PDF');
  });
});

describe('tables', () => {
  it.each([
    ['commas', 'Question,Answer\n"Do you ship, and where?","Yes, to Europe."\nIs it free?,From 50 euros.'],
    ['semicolons', 'Frage;Antwort\nDo you ship, and where?;Yes, to Europe.\nIs it free?;From 50 euros.'],
    ['tabs', 'Q\tA\nDo you ship, and where?\tYes, to Europe.\nIs it free?\tFrom 50 euros.'],
    [
      'a line that says how it is divided',
      'sep=;\nF;A\nDo you ship, and where?;Yes, to Europe.\nIs it free?;From 50 euros.',
    ],
    ['no names of columns', 'Do you ship, and where?;Yes, to Europe.\nIs it free?;From 50 euros.'],
  ])('makes questions with their answers of a table with %s', async (_, text) => {
    expect(await read(bytesOf(text), 'faq.csv')).toEqual({
      kind: 'csv',
      title: null,
      text: '## Do you ship, and where?\n\nYes, to Europe.\n\n## Is it free?\n\nFrom 50 euros.',
    });
  });

  it('reads UTF-16 as a spreadsheet saves it, and what else a row says', async () => {
    const text = '\ufeffCategory\tQuestion\tAnswer\nKäse\tWo?\t# Regal 3\n';
    const { text: made } = await read(new Uint8Array(Buffer.from(text, 'utf16le')), 'faq.csv');
    expect(made).toBe('## Wo?\n\n\\# Regal 3\n\nCategory: Käse');
  });

  it('keeps the names of the columns of any other table', async () => {
    const text = 'Plan;Price;Note\nBasic;9,90;<b>\nPlus;19,90;"two\nlines"';
    const { text: made } = await read(bytesOf(text), 'prices.csv');
    expect(made).toContain('<tr><th>Plan</th><th>Price</th><th>Note</th></tr>');
    expect(made).toContain('<tr><td>Basic</td><td>9,90</td><td>&lt;b&gt;</td></tr>');
    expect(made).toContain('<td>two\nlines</td>');
  });
});

describe('JSON', () => {
  it('makes questions with their answers of records that have such', async () => {
    const faq = { faqs: [{ id: 7, question: 'Is it free?', answer: 'From 50 euros.' }] };
    expect(await read(bytesOf(JSON.stringify(faq)), 'faq.json')).toEqual({
      kind: 'text',
      title: null,
      text: '## Is it free?\n\nFrom 50 euros.\n\nid: 7',
    });
  });

  it('keeps the names of other fields, and leaves out what is empty', async () => {
    const { text } = await read(
      bytesOf('[{"plan":"Basic","price":9.9,"open":true},{"plan":"Plus","extras":["mug","cap"]}]'),
      'plans.json',
    );
    expect(text).toContain('<tr><th>plan</th><th>price</th><th>open</th><th>extras</th></tr>');
    expect(text).toContain('<tr><td>Basic</td><td>9.9</td><td>true</td><td></td></tr>');
    expect(text).toContain('<tr><td>Plus</td><td></td><td></td><td>mug, cap</td></tr>');
  });

  it('reads one record as lines with labels', async () => {
    const { text } = await read(bytesOf('{"Phone":"0800 1","Closed":["Sunday","Monday"]}'), 'shop.json');
    expect(text).toBe('Phone: 0800 1\n\nClosed: Sunday, Monday');
  });

  it.each([
    ['records inside records', '[{"a":{"b":[{"c":1}]}}]', 'This is data for programs'],
    ['nothing', '[]', 'This file holds no text.'],
    ['a missing end', '[{"a":', 'This file is broken'],
  ])('has a sentence for one with %s', async (_, text, sentence) => {
    expect(await refusal(bytesOf(text), 'a.json')).toContain(sentence);
  });
});

describe('e-mail', () => {
  const mail =
    'From: a@example.com\r\nTo: b@example.com\r\nSubject: Prices\r\nMIME-Version: 1.0\r\n\r\nA bell =\r\n';
  it.each(['prices.eml', 'prices.txt'])('has a sentence for one, named %s', async (name) => {
    expect(await refusal(bytesOf(mail), name)).toBe(
      'This is an e-mail as a mail program stores it. Copy its text into a text file, or paste it.',
    );
  });

  it('takes a text that begins with who wrote it for no e-mail', async () => {
    const text = 'From: the desk\nTo: all guests\n\nThe pool is closed.';
    expect((await read(bytesOf(text), 'a.txt')).text).toBe(text);
  });
});

describe('pages', () => {
  it('keeps what is said, and the title', async () => {
    const page = `<!doctype html><html><head><title> Returns  policy </title><style>p{}</style></head>
      <body onload="x()"><script>alert(1)</script><!-- hidden --><h1 class="big">Returns</h1><p>Within 30&nbsp;days.</p></body></html>`;
    const { kind, title, text } = await read(bytesOf(page), 'https://example.com/returns');
    expect([kind, title]).toEqual(['html', 'Returns policy']);
    expect(text).toContain('<h1>Returns</h1><p>Within 30&nbsp;days.</p>');
    expect(text).not.toMatch(/alert|hidden|onload|class|style/);
  });

  const said = async (body: string, head = '') => {
    const page = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
    const { text } = await read(bytesOf(page), 'x.html');
    return text.match(/(?<=>)[^<>\s][^<>]*/g) ?? [];
  };

  it('leaves out what a visitor does not see', async () => {
    const style = '<style>.old, #gone { display: none } @media print { .day { display: none } }</style>';
    const body = `<p style="color: red; display:none">One.</p><p class="wide old">Two.</p><p id="gone">Three.</p><p hidden>Four.</p>
      <div aria-hidden="true">Five.</div><p class="day">Open by day.</p><p style="visibility: hidden">Six.</p>`;
    expect(await said(body, style)).toEqual(['Open by day.']);
  });

  it('keeps what a press opens', async () => {
    const style = '<style>.fold { display: none } .is-open .fold { display: block }</style>';
    const body = `<h3><button aria-expanded="false" aria-controls="a">Dogs?</button></h3><div id="a" hidden>On a lead.</div>
      <a href="#b">Cats</a><div id="b" style="display:none">In a box.</div><div class="fold">Birds too.</div>
      <section><button>Fish</button><div style="display:none">In a bowl.</div></section>`;
    expect(await said(body, style)).toEqual([
      'Dogs?',
      'On a lead.',
      'Cats',
      'In a box.',
      'Birds too.',
      'Fish',
      'In a bowl.',
    ]);
    const headed =
      '<dl><dt>Tea</dt><dd style="display:none">Two.</dd><dt>Milk</dt><dd style="display:none">Three.</dd></dl>';
    expect(await said(headed)).toEqual(['Tea', 'Two.', 'Milk', 'Three.']);
  });

  it('leaves out the question about cookies, and no shop that sells them', async () => {
    const banner = (kind: string) =>
      `<div ${kind}><p>We and our partners store cookies for 6 months.</p><button>Accept</button></div><p>We bake.</p>`;
    for (const kind of [
      'id="cookie-banner"',
      'role="dialog" aria-label="Cookies"',
      'class="cky-consent-bar"',
    ])
      expect(await said(banner(kind))).toEqual(['We bake.']);
    const shop = '<div class="cookie-card"><p>Oat cookie, 3 euros.</p><button>Add</button></div>';
    expect(await said(shop)).toEqual(['Oat cookie, 3 euros.', 'Add']);
    expect(await said('<div class="cookie-notice"><p>Our cookies hold nuts.</p></div>')).toEqual([
      'Our cookies hold nuts.',
    ]);
  });

  it('reads the encoding that its server says, or it says itself', async () => {
    const page = (head: string) =>
      new Uint8Array(
        Buffer.from(`<html><head>${head}</head><body><p>\xf1\xe5\xec\xfc</p></body></html>`, 'latin1'),
      );
    expect((await read(page(''), 'x', 'text/html; charset=windows-1251')).text).toContain('сем');
    expect((await read(page('<meta charset="windows-1251">'), 'x.html')).text).toContain('сем');
  });

  it('says that a page without text says nothing', async () => {
    const page =
      '<!doctype html><html><head></head><body><div id="root"></div><script>render()</script></body></html>';
    expect(await refusal(bytesOf(page), 'x.html')).toContain('This page says nothing by itself');
  });
});

describe('PDF', () => {
  const page = (n: number) => [
    { text: 'Acme Insurance', size: 8, y: 810 },
    { text: n === 1 ? 'Terms' : `Part ${n}`, size: 20, y: 760 },
    { text: 'You may cancel within thirty days of the begin-', y: 730 },
    { text: 'ning of your contract.', y: 716 },
    { text: 'Refunds take five days.', y: 680 },
    { text: `Page ${n}`, size: 8, y: 30 },
  ];

  it('reads headings, paragraphs and divided words, and leaves headers and footers out', async () => {
    const { kind, text } = await read(aPdf([1, 2, 3].map(page)), 'terms.pdf');
    expect(kind).toBe('pdf');
    expect(text.split('\n\n').slice(0, 4)).toEqual([
      '# Terms',
      'You may cancel within thirty days of the beginning of your contract.',
      'Refunds take five days.',
      '# Part 2',
    ]);
    expect(text).not.toMatch(/Acme|Page/);
  });

  const rowsOf = (columns: readonly number[], rows: readonly (readonly string[])[]) =>
    rows.flatMap((cells, n) =>
      cells.flatMap((text, column) => (text ? [{ text, x: columns[column] ?? 50, y: 700 - 14 * n }] : [])),
    );

  it('reads columns of text one after the other, though they are drawn line by line', async () => {
    const leaflet = rowsOf(
      [50, 320],
      [
        ['Parking. The yard behind the mill has', 'Visits. Groups of up to ten people may'],
        ['room for six cars and is closed at', 'see the kiln on Fridays. The tour takes'],
        ['night.', 'forty minutes and costs four pounds.'],
      ],
    );
    expect((await read(aPdf([leaflet]), 'leaflet.pdf')).text.split('\n\n')).toEqual([
      'Parking. The yard behind the mill has room for six cars and is closed at night.',
      'Visits. Groups of up to ten people may see the kiln on Fridays. The tour takes forty minutes and costs four pounds.',
    ]);
  });

  it('reads a table by where its cells stand, with heads of two storeys and cells broken for width', async () => {
    const storey = [
      { text: 'Child', x: 202, y: 714 },
      { text: 'Grown-up', x: 360, y: 714 },
    ];
    const rows = rowsOf(
      [50, 180, 250, 340, 410],
      [
        ['Class', 'Day', 'Night', 'Day', 'Night'],
        ['Clay', '4', '6', '9', '12'],
        ['Glaze', '5', '', '11', '14'],
        ['', '', '', '', 'from May'],
      ],
    );
    const { text } = await read(aPdf([[...storey, ...rows]]), 'prices.pdf');
    expect(text.split('\n')).toEqual([
      '| Class | Child, Day | Child, Night | Grown-up, Day | Grown-up, Night |',
      '| --- | --- | --- | --- | --- |',
      '| Clay | 4 | 6 | 9 | 12 |',
      '| Glaze | 5 |  | 11 | 14 from May |',
    ]);
  });

  it('takes the mark of an item for no column', async () => {
    const list = rowsOf(
      [50, 80],
      [
        ['1.', 'Knock on the door.'],
        ['2.', 'Wait for the bell.'],
      ],
    );
    expect((await read(aPdf([list]), 'steps.pdf')).text).toBe(
      '1. Knock on the door.\n\n2. Wait for the bell.',
    );
  });

  it.each([
    ['a password', aLockedPdf(), 'This PDF is protected by a password. Save it without one.'],
    ['pictures of pages', aPdf([[], []]), 'This PDF holds pictures of pages and no text'],
    ['a missing end', aPdf([page(1)]).subarray(0, 300), 'This file is broken'],
    ['nothing of a PDF', bytesOf('%PDF-1.7\nnot really'), 'This file is broken'],
  ])('has a sentence for one with %s', async (_, bytes, sentence) => {
    expect(await refusal(bytes, 'a.pdf')).toContain(sentence);
  });

  it.each([
    ['packed twice', aBombPdf(150_000_000)],
    ['packed twice and cut off', aBombPdf(150_000_000, { isBroken: true })],
    ['packed as runs of one letter', aRunLengthPdf(150_000_000)],
  ])('is stopped by no bomb, %s', async (_, bomb) => {
    expect(bomb.byteLength).toBeLessThan(2_500_000);
    expect(await refusal(bomb, 'a.pdf')).toBe(TOO_LARGE);
  });
});

describe('DOCX', () => {
  it('reads headings and paragraphs', async () => {
    const file = aDocx(wordParagraph('Returns', 1) + wordParagraph('Within 30 days.'));
    expect(await read(file, 'a.docx')).toEqual({
      kind: 'docx',
      title: null,
      text: '<!doctype html><body><h1>Returns</h1><p>Within 30 days.</p></body>',
    });
  });

  it('leaves out what Word does not show, by itself or by a style', async () => {
    const run = (text: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
    const styles = `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Notes"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Shown"><w:rPr><w:vanish w:val="0"/></w:rPr></w:style></w:styles>`;
    const body = [
      `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('Storage costs 8 euros.')}${run(' Staff pay 2.', '<w:vanish/>')}</w:p>`,
      `<w:p><w:pPr><w:pStyle w:val="Notes"/></w:pPr>${run('Ask the owner first.')}</w:p>`,
      `<w:p>${run('Cranes cost 9 euros.', '<w:rStyle w:val="Shown"/>')}${run(' Shown.', '<w:vanish w:val="false"/>')}</w:p>`,
    ];
    const { text } = await read(aDocx(body.join(''), { more: { 'word/styles.xml': styles } }), 'a.docx');
    expect(text.match(/(?<=>)[^<>]+/g)).toEqual(['Storage costs 8 euros.', 'Cranes cost 9 euros. Shown.']);
  });

  const large = Buffer.alloc(150_000_000, ' ');
  const text = wordParagraph('x');
  it.each([
    ['honest about its size', aDocx(text, { more: { 'word/styles.xml': large } })],
    ['lying about its size', aDocx(text, { more: { 'word/styles.xml': large }, claimed: 1_000 })],
    [
      'that looks like a picture',
      aDocx(text, { main: 'word/media/text.xml', more: { 'word/media/text.xml': large } }),
    ],
  ])('is stopped by no bomb, %s', async (_, bomb) => {
    expect(bomb.byteLength).toBeLessThan(200_000);
    expect(await refusal(bomb, 'a.docx')).toBe(TOO_LARGE);
  });

  it('reads nothing of an archive in which two readers may find different files', async () => {
    const twofold = aTwofoldZip(docxFiles(text), docxFiles(wordParagraph('y')));
    expect(await refusal(twofold, 'a.docx')).toBe(
      'This document is packed for files of more than 4 GB (ZIP64). Save it as DOCX again.',
    );
  });

  it('unpacks no pictures, however large they are', async () => {
    const file = aDocx(text, { more: { 'word/media/large.png': large } });
    expect((await read(file, 'a.docx')).text).toContain('<p>x</p>');
  });

  it('has a sentence for an archive of something else, and a broken one', async () => {
    expect(await refusal(aZip({ 'xl/workbook.xml': '<x/>' }), 'a.xlsx')).toContain('This is no document');
    expect(await refusal(aDocx(wordParagraph('x')).subarray(0, 400), 'a.docx')).toContain(
      'This file is broken',
    );
  });
});

describe('sitemaps', () => {
  const sitemap = (addresses: readonly string[]) =>
    bytesOf(`<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')}</urlset>`);
  const listed = (bytes: Uint8Array, most: number) =>
    documents.readSitemap({ bytes, name: 'https://shop.example/sitemap.xml' }, most, { account: 'mine' });

  it('are read in their order, each address of their own host once', async () => {
    const [one, other] = ['https://shop.example/a?b=1&amp;c=2', 'https://shop.example/d'];
    const bytes = sitemap([one, 'https://elsewhere.example/', 'nothing', other, one]);
    expect(await listed(bytes, 2)).toEqual({
      addresses: ['https://shop.example/a?b=1&c=2', other],
      isCut: false,
    });
  });

  it('are read no further than what is wanted of them', async () => {
    const bytes = sitemap(Array.from({ length: 50_000 }, (_, n) => `https://shop.example/${n}`));
    const { addresses, isCut } = await listed(bytes, 3);
    expect([addresses, isCut]).toEqual([[0, 1, 2].map((n) => `https://shop.example/${n}`), true]);
  });
});

describe('createDocuments', () => {
  const file = { bytes: bytesOf('a text'), name: 'a.txt' };
  const work = () => ({ account: 'mine' });

  it('gives up a file that takes too long, and reads the next one', async () => {
    const hasty = createDocuments({ timeoutMs: 1 });
    await expect(hasty.read(file, work())).rejects.toThrow('This file takes too long to read.');
    await hasty.close();
    expect((await documents.read(file, work())).text).toBe('a text');
  });

  it.each([
    ['objects', { heapMb: 24 }],
    ['memory of any kind', { residentMb: 220 }],
  ])('survives a file that takes more %s than there may be', async (_, limits) => {
    const small = createDocuments(limits);
    const page = bytesOf(`<html><body>${'<p>x</p>'.repeat(2_000_000)}</body></html>`);
    await expect(small.read({ bytes: page, name: 'a.html' }, work())).rejects.toThrow(
      'it takes too much memory',
    );
    expect((await small.read(file, work())).text).toBe('a text');
    await small.close();
  });

  it('gives all memory back that a file took which could not be read', async () => {
    const usage = () => nativeUsage().residentBytes;
    const own = createDocuments();
    await own.read(file, work());
    // A process that read its file is kept for the next one.
    const withIt = usage();
    await expect(own.read({ bytes: aBombPdf(150_000_000), name: 'a.pdf' }, work())).rejects.toThrow(
      TOO_LARGE,
    );
    expect(usage()).toBeLessThan(withIt - 40_000_000);
    await own.close();
  });

  it('reads on when somebody gave up', async () => {
    const stop = new AbortController();
    const own = createDocuments();
    const first = own.read({ bytes: bytesOf('one'), name: 'a.txt' }, work(), stop.signal);
    const second = own.read({ bytes: bytesOf('two'), name: 'b.txt' }, work());
    stop.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect((await second).text).toBe('two');
    await own.close();
  });

  it('reads a file of one account while those of another take long', async () => {
    const own = createDocuments();
    const ended: string[] = [];
    const page = bytesOf(`<html><body>${'<p>x</p>'.repeat(100_000)}</body></html>`);
    const theirs = [1, 2, 3].map((n) =>
      own.read({ bytes: page, name: 'a.html' }, { account: 'theirs' }).then(() => ended.push(`theirs ${n}`)),
    );
    const mine = own.read(file, work()).then(() => ended.push('mine'));
    await Promise.all([...theirs, mine]);
    expect(ended.indexOf('mine')).toBeLessThan(2);
    await own.close();
  });
});
