import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

interface PdfText {
  text: string;
  /** Points. */
  size?: number;
  /** From the bottom of the page, in points. */
  y: number;
  /** From the left of the page, in points. */
  x?: number;
}

/** The content of a PDF page as bytes, and its filters. */
interface PdfContent {
  bytes: Buffer;
  filters: readonly string[];
}

/** A minimal PDF. @param pages each with its lines; a page without lines is an image */
export const aPdf = (pages: readonly (readonly PdfText[])[], trailer = ''): Uint8Array =>
  pdfOf(
    pages.map((lines) => {
      const shown = lines.map(
        ({ text, size = 11, y, x = 50 }) =>
          `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`,
      );
      return { bytes: Buffer.from(shown.join('\n'), 'latin1'), filters: [] };
    }),
    trailer,
  );

/**
 * A small PDF whose single page becomes very large: it is packed twice.
 * @param isBroken it ends too early, which only some unpackers tolerate
 */
export function aBombPdf(unpackedBytes: number, { isBroken = false } = {}): Uint8Array {
  const once = deflateSync(Buffer.alloc(unpackedBytes, ' '));
  const twice = deflateSync(isBroken ? once.subarray(0, -4) : once);
  return pdfOf([{ bytes: twice, filters: ['FlateDecode', 'FlateDecode'] }]);
}

/** A PDF whose single page is packed as runs of one letter, 64 times smaller (RunLengthDecode). */
export const aRunLengthPdf = (unpackedBytes: number): Uint8Array =>
  pdfOf([
    { bytes: Buffer.alloc((unpackedBytes / 128) * 2, Buffer.from([129, 32])), filters: ['RunLengthDecode'] },
  ]);

function pdfOf(pages: readonly PdfContent[], trailer = ''): Uint8Array {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')}] >>`,
  );
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [n, { bytes, filters }] of pages.entries()) {
    const filter = filters.length > 0 ? ` /Filter [${filters.map((name) => `/${name}`).join(' ')}]` : '';
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * n} 0 R >>`,
    );
    add(`<< /Length ${bytes.length}${filter} >>\nstream\n${bytes.toString('latin1')}\nendstream`);
  }
  let file = '%PDF-1.4\n';
  const places = objects.map((body, n) => {
    const at = file.length;
    file += `${n + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  file += places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file, 'latin1'));
}

/** A PDF that asks for a password. */
export const aLockedPdf = (): Uint8Array =>
  aPdf(
    [[{ text: 'secret', y: 700 }]],
    `/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]`,
  );

/** An archive of the given files. @param claimed the stated unpacked size of each; default: the true size */
export function aZip(files: Readonly<Record<string, string | Buffer>>, claimed?: number): Uint8Array {
  const { parts, list, at } = zipParts(files, 0, claimed);
  return new Uint8Array(Buffer.concat([...parts, list, zipEnd(Object.keys(files).length, list.length, at)]));
}

/** An archive with two lists of files: readers that support files over 4 GB (ZIP64) follow the second one. */
export function aTwofoldZip(
  shown: Readonly<Record<string, string | Buffer>>,
  hidden: Readonly<Record<string, string | Buffer>>,
): Uint8Array {
  const first = zipParts(shown, 0);
  const second = zipParts(hidden, first.at);
  const ends = second.at + first.list.length + second.list.length;
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  const count = BigInt(Object.keys(hidden).length);
  end64.writeBigUInt64LE(count, 24);
  end64.writeBigUInt64LE(count, 32);
  end64.writeBigUInt64LE(BigInt(second.list.length), 40);
  end64.writeBigUInt64LE(BigInt(second.at + first.list.length), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(ends), 8);
  locator.writeUInt32LE(1, 16);
  const end = zipEnd(Object.keys(shown).length, first.list.length, second.at);
  // A value outside this record's range: readers that know the other record look there.
  end.writeUInt16LE(0xffff, 8);
  return new Uint8Array(
    Buffer.concat([...first.parts, ...second.parts, first.list, second.list, end64, locator, end]),
  );
}

function zipParts(files: Readonly<Record<string, string | Buffer>>, from: number, claimed?: number) {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = from;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name)]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, Buffer.from(name)]),
    );
    parts.push(local, packed);
    at += local.length + packed.length;
  }
  return { parts, list: Buffer.concat(directory), at };
}

function zipEnd(count: number, listBytes: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listBytes, 12);
  end.writeUInt32LE(at, 16);
  return end;
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/**
 * The files of a Word document. @param body paragraphs in WordprocessingML @param main where the document
 * says they are
 */
export const docxFiles = (body: string, main = 'word/document.xml'): Record<string, string> => ({
  '[Content_Types].xml':
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  '_rels/.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${main}"/></Relationships>`,
  'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
});

/**
 * A Word document. @param body paragraphs in WordprocessingML @param more further files, @param main its main
 * part
 */
export const aDocx = (
  body: string,
  {
    more = {},
    claimed,
    main,
  }: { more?: Record<string, string | Buffer>; claimed?: number; main?: string } = {},
): Uint8Array => aZip({ ...docxFiles(body, main), ...more }, claimed);

/** A paragraph of a Word document; a heading if a level is given. */
export const wordParagraph = (text: string, level?: number): string =>
  `<w:p>${level ? `<w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;
