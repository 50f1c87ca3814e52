import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#server/settings/config';
import { freePort } from './support/free-port.ts';
import { adminPath, hasNginx, nginxSaysOf, startNginx, writeProxyConfig } from './support/nginx.ts';
import { runsRest } from './support/test-part.ts';

/*
 * The files of deploy/, read by those they are made for, where they are on this machine: nginx and systemd-analyze, and what
 * `npm run test:all` installs with Python (scripts/lib/test-machine.js): hadolint, Helm's own library, Kubernetes' schemas.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'sigma-deploy-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function run(program: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: adminPath, HOME: scratch },
  });
  return { status, output: `${stdout}${stderr}` };
}
/** The Python that has what was installed for this; its programs are beside it. */
const tools = runsRest && process.env.SIGMA_TEST_DEPLOY_TOOLS;
const tool = (name: string) => join(dirname(tools || ''), name);
const manifestSchema = z.object({ kind: z.string(), data: z.record(z.string(), z.string()).optional() });
const succeeds = (program: string, ...args: string[]) => {
  const { status, output } = run(program, ...args);
  expect(status, output).toBe(0);
  return output;
};

describe.skipIf(!runsRest || !hasNginx())('nginx (skipped where it is missing)', () => {
  it('takes the configuration of the proxy', () => {
    const file = writeProxyConfig(scratch, { page: 8443, speech: 3100, behind: {} });
    expect(nginxSaysOf(scratch, file)).toBe('');
  });

  it('writes no key of a room, a recording or a sign-in into its logs, whether somebody answers or not', async () => {
    const behind = createServer((_request, response) => response.end('here'));
    await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve));
    const address = behind.address();
    const there = typeof address === 'object' && address ? address.port : 0;
    const [page, speech, nobody] = await Promise.all([freePort(), freePort(), freePort()]);
    const logs = mkdtempSync(join(scratch, 'logs-'));
    const names = { 'web-1:3000': there, 'web-2:3000': there, 'livekit:7880': there };
    const statuses: number[] = [];
    const ask = (host: string, path: string) =>
      new Promise<number>((resolve, reject) => {
        // A page of ours says nowhere from where it asks.
        const headers = { host };
        const asked = request({ host: '127.0.0.1', port: page, path, headers }, (answer) =>
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
        );
        asked.on('error', reject);
        asked.end();
      });
    for (const [n, ports] of [
      names,
      { ...names, 'web-1:3000': nobody, 'web-2:3000': nobody, 'livekit:7880': nobody },
    ].entries()) {
      const folder = join(logs, String(n));
      mkdirSync(folder);
      const stop = startNginx(folder, writeProxyConfig(folder, { page, speech, behind: ports }));
      await until(() => ask('localhost', '/health'));
      statuses.push(
        await ask('localhost', '/rtc/v1?access_token=SECRET'),
        await ask('localhost', '/api/recordings/0190a6c4?expires=1&signature=SECRET'),
        await ask('localhost', '/sign-in/back?code=SECRET'),
        await ask('rooms.localhost', '/rtc?access_token=SECRET'),
      );
      await stop();
      const access = readFileSync(join(folder, 'access.log'), 'utf8');
      for (const path of ['GET /rtc/v1"', 'GET /api/recordings/0190a6c4"', 'GET /sign-in/back"', 'GET /rtc"'])
        expect(access).toContain(path);
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.log')))
        expect(readFileSync(join(folder, file), 'utf8'), file).not.toContain('SECRET');
    }
    expect(statuses).toEqual([200, 200, 200, 200, 502, 502, 502, 502]);
    behind.closeAllConnections();
    await new Promise((resolve) => behind.close(resolve));
  });
});

/** Asks until there is an answer. */
async function until(ask: () => Promise<unknown>): Promise<void> {
  while ((await ask().catch(() => null)) === null) await pause(50);
}

describe.skipIf(!runsRest || run('systemd-analyze', '--version').status !== 0)(
  'systemd (skipped where it is missing)',
  () => {
    it('takes the unit', () => {
      const unit = join(scratch, 'sigma.service');
      // Node.js and the product may lie elsewhere here.
      const text = readFileSync(join(root, 'deploy/sigma.service'), 'utf8').replace(
        '/usr/bin/node',
        process.execPath,
      );
      writeFileSync(unit, text);
      expect(succeeds('systemd-analyze', 'verify', '--man=no', unit)).not.toContain('sigma.service:');
    });
  },
);

const reason = '(skipped where its checkers could not be installed)';

describe.skipIf(!tools)(`the Dockerfile ${reason}`, () => {
  it('has nothing that hadolint finds', () => {
    succeeds(tool('hadolint'), 'deploy/Dockerfile');
  });
});

describe.skipIf(!tools)(`the compose file ${reason}`, () => {
  it('fits the schema of such files', () => {
    succeeds(tool('check-jsonschema'), '--builtin-schema', 'vendor.compose-spec', 'deploy/compose.yaml');
  });
});

describe.skipIf(!tools)(`the Helm chart ${reason}`, () => {
  const render = (values: object, trustedProxies = ['10.244.0.0/16']) =>
    run(
      tool('python'),
      'tests/support/check-chart.py',
      'deploy/helm/sigma',
      JSON.stringify({ trustedProxies, ...values }),
    );
  const off = { enabled: false };
  const fromVault = {
    settings: { DATABASE_URL_FILE: '/run/secrets/database' },
    web: { secretsVolume: { csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true } } },
  };

  it.each<[string, object]>([
    ['as it is', {}],
    ['scaling by calls', { web: { autoscaling: { metric: 'calls' } } }],
    ['alone', { speech: off, ingress: off, networkPolicy: off }],
    ['without scaling', { web: { autoscaling: off }, speech: { autoscaling: off } }],
    ['with secrets from a vault', fromVault],
  ])('is what Kubernetes takes, %s', (_, values) => {
    const { status, output } = render(values);
    expect(status, output).toBe(0);
    expect(output).toContain('"kind": "Deployment"');
  });

  it('gives web pods settings that the server understands', () => {
    const manifests = render({})
      .output.trim()
      .split('\n')
      .map((line) => manifestSchema.parse(JSON.parse(line)));
    const given = manifests.find(({ kind }) => kind === 'ConfigMap')?.data;
    expect(
      readConfig({ ...given, LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'x'.repeat(32) }),
    ).toMatchObject({
      publicUrl: 'https://care.example.com',
      trustedProxies: ['10.244.0.0/16'],
      speechRecognition: { baseUrl: 'http://care-sigma-speech:3100/v1', model: 'moonshine' },
      speechSynthesis: { model: 'piper', voice: 'sigma' },
      rooms: { livekit: { url: 'wss://rooms.example.com' } },
      metrics: { host: '0.0.0.0', port: 9464 },
    });
  });

  it('asks which proxies are in front', () => {
    const { status, output } = render({}, []);
    expect(status).toBe(1);
    expect(output).toContain('trustedProxies');
  });

  it('gives web pods what a vault puts into files', () => {
    const { output } = render(fromVault);
    expect(output).toContain('"DATABASE_URL_FILE": "/run/secrets/database"');
    expect(output).toContain('{"name": "secrets", "mountPath": "/run/secrets", "readOnly": true}');
    expect(output).toContain('"csi": {"driver": "secrets-store.csi.k8s.io", "readOnly": true}');
    expect(output).toContain('{"secretRef": {"name": "sigma-web", "optional": true}}');
  });

  it.each([
    { settings: { DATABASE_URL: 'postgresql://a' } },
    { settings: { S3_SECRET_ACCESS_KEY: 'secret' } },
    { web: { replicas: 0 } },
    { unknown: 1 },
  ])('refuses %j', (values) => {
    expect(render(values).status).toBe(1);
  });
});
