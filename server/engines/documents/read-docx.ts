import mammoth from 'mammoth';
import type { Unpacked } from '#server/engines/unpacked';
import { BROKEN, EMPTY, NO_DOCUMENT, Unreadable } from '#server/engines/unreadable';
import { ZipArchive } from '#server/engines/zip-archive';

/**
 * A Word document as HTML, without its pictures.
 * @throws Unreadable
 */
export async function readDocx(bytes: Uint8Array, unpacked: Unpacked): Promise<string> {
  const archive = new ZipArchive(bytes, unpacked);
  if (!archive.has('word/document.xml')) throw new Unreadable(NO_DOCUMENT);
  const text = new TextDecoder();
  const input = {
    path: '',
    // Mammoth reads from this where it is given no path, though its types do not say so: two readers of one archive could
    // find different files in it, and its own one counts nothing.
    file: {
      exists: (name: string) => archive.has(name),
      read: async (name: string) => text.decode(archive.read(name)),
    },
  };
  try {
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
