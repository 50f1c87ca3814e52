import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { extract } from 'tar';
import { serveWorkerThread } from '#server/threads/worker-thread';

const methods = {
  /** Unpacks a data directory into an empty folder and waits until all of it is on disk. */
  unpack({ archive, into }: { archive: string; into: string }): void {
    // A thousand small files: asynchronous writing would cost more in overhead.
    extract({ file: archive, cwd: into, preserveOwner: false, strict: true, sync: true });
    syncTree(into);
  },
};

export type NewDirectoryMethods = typeof methods;

/** After a power failure a copy may have names without content, so each file is synced. */
function syncTree(directory: string): void {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) sync(join(entry.parentPath, entry.name));
  // Windows has no such call for folders and needs none.
  if (process.platform === 'win32') return;
  for (const entry of entries) if (entry.isDirectory()) sync(join(entry.parentPath, entry.name));
  sync(directory);
}

function sync(path: string): void {
  // Windows syncs only files that are open for writing; Linux cannot open folders that way, and does not need
  // it for files.
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

serveWorkerThread(methods);
