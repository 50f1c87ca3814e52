import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Flags of Node.js for processes that run files beside their caller: the sources where the caller is one. */
export const forkFlags: readonly string[] = import.meta.url.endsWith('.ts') ? throughTypeScript() : [];

function throughTypeScript(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx'));
  return ['--conditions=sigma-source', '--import', tsx.href];
}
