import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './syntax-tree.ts';

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** @returns all TypeScript and JavaScript files in a folder and below */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    return /\.(?:[jt]s|tsx)$/.test(entry.name) && !entry.name.endsWith('.d.ts')
      ? [{ path, text: readFileSync(join(root, path), 'utf8') }]
      : [];
  });
}
