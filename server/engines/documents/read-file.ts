import { Unpacked } from '#server/engines/unpacked';
import { EMPTY, TOO_LONG, Unreadable } from '#server/engines/unreadable';
import { type FileKind, MAX_DOCUMENT_CHARACTERS } from '#shared/documents';
import type { GivenFile, ReadFile } from './contract.ts';
import { decodeText } from './decode-text.ts';
import { readCsv } from './read-csv.ts';
import { readDocx } from './read-docx.ts';
import { readHtml } from './read-html.ts';
import { readJson } from './read-json.ts';
import { readPdf } from './read-pdf.ts';

/** File kinds we cannot read, by their first characters, with advice for the sender. */
const OTHERS: readonly [beginning: string, sentence: string][] = [
  [
    '\u00d0\u00cf\u0011\u00e0',
    'This is an old Office file, or one with a password. Save it as DOCX or PDF, without a password.',
  ],
  ['{\\rtf', 'This is a file of Rich Text. Save it as DOCX or PDF.'],
];

const MAIL = 'This is an e-mail as a mail program stores it. Copy its text into a text file, or paste it.';

/**
 * Reads a file, whatever it claims to be. Runs in a process of its own, because it may take much time and
 * memory.
 * @throws Unreadable with one sentence for the person who sent the file
 */
export async function readFile(file: GivenFile): Promise<ReadFile> {
  const read = await readAs(kindOf(file), file);
  if (read.text.trim() === '') throw new Unreadable(EMPTY);
  if (read.text.length > MAX_DOCUMENT_CHARACTERS) throw new Unreadable(TOO_LONG);
  return read;
}

async function readAs(kind: FileKind, { bytes, name, mediaType }: GivenFile): Promise<ReadFile> {
  if (kind === 'pdf') return { kind, ...(await readPdf(bytes, new Unpacked())) };
  if (kind === 'docx') return { kind, title: null, text: await readDocx(bytes, new Unpacked()) };
  const charset = /charset=["']?([\w-]+)/i.exec(mediaType ?? '')?.[1];
  if (kind === 'html') return { kind, ...readHtml(decodeText(bytes, charset ?? charsetOfPage(bytes))) };
  const text = decodeText(bytes, charset);
  if (kind === 'csv') return { kind, title: null, text: readCsv(text) };
  if (extensionOf(name) === 'json' || /^application\/(?:[\w.-]+\+)?json\b/i.test(mediaType ?? ''))
    return { kind, title: null, text: readJson(text) };
  return { kind, title: null, text };
}

const extensionOf = (name: string) => /\.(\w+)(?:[?#]|$)/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The kind by the first bytes; if they do not tell, by the name and the declared media type. */
function kindOf({ bytes, name, mediaType = '' }: GivenFile): FileKind {
  const beginning = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  const other = OTHERS.find(([start]) => beginning.startsWith(start));
  if (other) throw new Unreadable(other[1]);
  if (beginning.includes('%PDF-')) return 'pdf';
  if (beginning.startsWith('PK')) return 'docx';
  const extension = extensionOf(name);
  if (extension === 'eml' || /^message\/rfc822/i.test(mediaType) || isMail(beginning))
    throw new Unreadable(MAIL);
  if (/^(?:csv|tsv)$/.test(extension) || /\bcsv\b|tab-separated/.test(mediaType)) return 'csv';
  const isPage = /^(?:\ufeff|ï»¿)?\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype html|html)/i.test(beginning);
  if (isPage || /^(?:html?|xhtml)$/.test(extension) || /html/.test(mediaType)) return 'html';
  return /^(?:md|markdown|mdx)$/.test(extension) || /markdown/.test(mediaType) ? 'markdown' : 'text';
}

/** Header lines of a mail; at least one of them occurs in mails only (RFC 5322). */
function isMail(beginning: string): boolean {
  const [head = ''] = beginning.split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/);
  // The sample may end in the middle of a line.
  if (head === beginning) lines.pop();
  return (
    lines.length > 2 &&
    lines.every((line) => /^(?:[\w-]{2,40}:|[ \t])/.test(line)) &&
    /^(?:from|return-path|received|delivered-to):/im.test(head) &&
    /^(?:mime-version|message-id|received|x-[\w-]+|dkim-signature):/im.test(head)
  );
}

const charsetOfPage = (bytes: Uint8Array) =>
  /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(
    Buffer.from(bytes.subarray(0, 2_048)).toString('latin1'),
  )?.[1];
