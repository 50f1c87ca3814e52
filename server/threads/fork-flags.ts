import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Node.js flags for child processes: they run sources if the caller runs from sources. */
export const forkFlags: readonly string[] = import.meta.url.endsWith('.ts') ? throughTypeScript() : [];

function throughTypeScript(): string[] {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx'));
  return ['--conditions=sigma-source', '--import', tsx.href];
}
