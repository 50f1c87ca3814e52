import { t } from '#web/texts/agents';
/** A file that cannot be used; `message` gives the reason. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Four bytes for each of 200,000 characters, and some for blanks that are trimmed. */
const MAX_BYTES = 1_000_000;

/**
 * The text of a .txt or .md file with normalised line ends: UTF-8, UTF-16 with its mark, or else Windows-1252, which
 * older editors write.
 * @throws UnreadableFile with a sentence for people
 */
export async function readTextFile(file: File): Promise<string> {
  if (!/\.(?:txt|md|markdown)$/i.test(file.name)) throw new UnreadableFile(t('textFile.wrongName'));
  if (file.size > MAX_BYTES) throw new UnreadableFile(t('textFile.tooLong'));
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new UnreadableFile(t('textFile.unreadable'));
  }
  const text = decode(bytes);
  if (text.includes('\0')) throw new UnreadableFile(t('textFile.notText'));
  return text.replace(/\r\n?/g, '\n').trim();
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
