import mammoth from 'mammoth';
import type { Unpacked } from '#server/engines/unpacked';
import { BROKEN, EMPTY, NO_DOCUMENT, Unreadable } from '#server/engines/unreadable';
import { ZipArchive } from '#server/engines/zip-archive';
import { hidingStyles, withoutHidden } from './docx-hidden.ts';

const STYLES = 'word/styles.xml';

/**
 * Converts a Word document to HTML, without its pictures and hidden text.
 * @throws Unreadable
 */
export async function readDocx(bytes: Uint8Array, unpacked: Unpacked): Promise<string> {
  const archive = new ZipArchive(bytes, unpacked);
  if (!archive.has('word/document.xml')) throw new Unreadable(NO_DOCUMENT);
  const decoder = new TextDecoder();
  const partOf = (name: string) => decoder.decode(archive.read(name));
  let hidden: ReadonlySet<string> = new Set();
  const input = {
    path: '',
    // Mammoth reads from this object when it gets no path, though its types do not say so. With its own
    // archive reader, two readers could find different files in one archive, and its reader counts nothing.
    file: {
      exists: (name: string) => archive.has(name),
      read: async (name: string) => (name === STYLES ? partOf(name) : withoutHidden(partOf(name), hidden)),
    },
  };
  try {
    if (archive.has(STYLES)) hidden = hidingStyles(partOf(STYLES));
    const { value } = await mammoth.convertToHtml(input, {
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    });
    if (!value.replace(/<[^<>]*>/g, '').trim()) throw new Unreadable(EMPTY);
    return `<!doctype html><body>${value}</body>`;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(BROKEN);
  }
}
