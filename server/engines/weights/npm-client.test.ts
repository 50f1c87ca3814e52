import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readNpmSettings } from './npm-client.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sigma-npm-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true, force: true });
});

describe('readNpmSettings', () => {
  it("takes the user's registry, scopes, proxy and certificates from the npm client, and no secret", async () => {
    const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    await writeFile(join(dir, 'ca.pem'), `${certificate}\n${certificate}\n`);
    await writeFile(
      join(dir, 'npmrc'),
      [
        'registry=http://127.0.0.1:9/mirror/',
        '@scope:registry=http://127.0.0.1:9/scope/',
        'https-proxy=http://127.0.0.1:9/',
        'strict-ssl=false',
        `cafile=${join(dir, 'ca.pem')}`,
        '//127.0.0.1:9/:_authToken=secret-token',
      ].join('\n'),
    );
    vi.stubEnv('npm_config_userconfig', join(dir, 'npmrc'));
    for (const name of ['npm_config_registry', 'npm_config_cafile', 'npm_config_noproxy'])
      vi.stubEnv(name, undefined);
    const settings = await readNpmSettings();
    expect(settings).toMatchObject({
      registry: 'http://127.0.0.1:9/mirror/',
      '@scope:registry': 'http://127.0.0.1:9/scope/',
      httpsProxy: 'http://127.0.0.1:9/',
      strictSSL: false,
      ca: [certificate, certificate],
    });
    expect(JSON.stringify(settings)).not.toContain('secret-token');
  });

  it('goes without where there is no npm client', async () => {
    vi.stubEnv('PATH', dir);
    expect(await readNpmSettings()).toEqual({});
  });
});
