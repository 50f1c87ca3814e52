import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { secretSettings as knownToScripts } from '../../scripts/lib/secret-settings.js';
import { secretSettings } from './in-environment.ts';
import { settingFacts, settings } from './settings.ts';

const WIDTH = 120;

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`# ${word}`);
  }
  return lines;
}

/** `.env.example`: every setting with its purpose and default. */
function envExample(): string {
  const lines = wrapped(
    'Every setting is optional; these are the defaults. Settings are read from the environment (this file is documentation: load it with `node --env-file=.env scripts/start.js` or your process manager). Whatever may hold a password or key can be in a file instead, as vaults hand secrets over: `OPENAI_API_KEY_FILE=/run/secrets/openai`; when the file changes, the new secret is used while the server runs (docs/deployment.md, Secrets).',
  );
  for (const [name, row] of Object.entries(settings.shape)) {
    const { about, usually, example = '' } = settingFacts.get(row) ?? {};
    if (about) lines.push('', ...wrapped(about));
    lines.push(usually === undefined ? `#${name}=${example}` : `${name}=${usually}`);
  }
  return `${lines.join('\n')}\n`;
}

// After a change of the settings, `npx vitest run server/settings/settings.test.ts --update` rewrites the
// file.
it('are what .env.example says', async () => {
  await expect(envExample()).toMatchFileSnapshot(
    fileURLToPath(new URL('../../.env.example', import.meta.url)),
  );
});

it('that are secret are kept from whatever installs and builds', () => {
  expect(knownToScripts).toEqual(secretSettings);
});
