import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar';
import { Unpacked } from '#server/engines/unpacked';
import { Unreadable } from '#server/engines/unreadable';
import { ZipArchive } from '#server/engines/zip-archive';
import { FetchFailure } from './fetch-failure.ts';

const READ_BYTES = 256 * 1024;

/**
 * Extracts files of a verified archive into one folder, wherever they are in the archive, keeping their
 * execute permission.
 * @param name tells the kind of archive by its ending
 * @param files matches base names
 * @throws FetchFailure if it is broken or nothing matches; system errors of the disk
 */
export async function unpackArchive(file: string, name: string, files: RegExp, into: string): Promise<void> {
  const found = name.endsWith('.zip')
    ? await unpackZip(file, files, into)
    : await unpackTar(file, files, into);
  if (found === 0)
    throw new FetchFailure('the archive has none of the files that are needed', { soon: false });
}

const ownName = (path: string) => path.split('/').at(-1) ?? '';

async function unpackTar(file: string, files: RegExp, into: string): Promise<number> {
  let found = 0;
  await extract({
    file,
    cwd: into,
    filter: (path) => files.test(ownName(path)),
    // Links between libraries stay valid: they use bare names within one folder.
    onReadEntry: (entry) => {
      entry.path = ownName(entry.path);
      found++;
    },
    preserveOwner: false,
    maxReadSize: READ_BYTES,
  });
  return found;
}

/** Windows decides by name what can be executed, so no permissions are needed. */
async function unpackZip(file: string, files: RegExp, into: string): Promise<number> {
  try {
    const archive = new ZipArchive(await readFile(file), new Unpacked());
    const wanted = archive.names().filter((path) => files.test(ownName(path)));
    for (const path of wanted) await writeFile(join(into, ownName(path)), archive.read(path));
    return wanted.length;
  } catch (error) {
    if (error instanceof Unreadable) throw new FetchFailure('the archive is broken', { soon: false });
    throw error;
  }
}
