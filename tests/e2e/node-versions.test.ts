import { describe, expect, it } from 'vitest';
import { startServer } from './support/server.ts';

const binaries: Record<string, string> = JSON.parse(process.env.SIGMA_TEST_NODES ?? '{}');
const versions = Object.entries(binaries);

describe.skipIf(versions.length === 0)(
  'supported Node.js versions (skipped where their binaries were not fetched)',
  () => {
    it.each(versions)(
      'Node.js %s starts, registers a person, answers and stops cleanly',
      async (_version, node) => {
        const server = await startServer({ node });
        try {
          expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok' });
          const registered = await fetch(`${server.url}/api/auth/register`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              name: 'Ada',
              email: 'ada@sigma.example',
              password: 'a long enough passphrase',
            }),
          });
          expect(registered.status).toBe(201);
          const page = await fetch(`${server.url}/login`);
          expect(await page.text()).toContain('<div id="root">');
        } finally {
          expect(await server.stop()).toBe(0);
        }
      },
    );
  },
);
