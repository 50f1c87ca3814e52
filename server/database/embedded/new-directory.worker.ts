import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { extract } from 'tar';
import { serveWorkerThread } from '#server/threads/worker-thread';

const methods = {
  /** Unpacks a data directory into an empty folder, and waits until the disk has all of it. */
  unpack({ archive, into }: { archive: string; into: string }): void {
    // A thousand small files: each by itself would cost more in waiting for it than in writing.
    extract({ file: archive, cwd: into, preserveOwner: false, strict: true, sync: true });
    syncTree(into);
  },
};

export type NewDirectoryMethods = typeof methods;

/** What a power cut leaves of a copy may be names without contents: each file is told to reach the disk. */
function syncTree(directory: string): void {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) sync(join(entry.parentPath, entry.name));
  // Windows has no such call for folders and needs none.
  if (process.platform === 'win32') return;
  for (const entry of entries) if (entry.isDirectory()) sync(join(entry.parentPath, entry.name));
  sync(directory);
}

function sync(path: string): void {
  // Windows syncs only what is open for writing; Linux opens no folder so, and needs it for no file.
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

serveWorkerThread(methods);
