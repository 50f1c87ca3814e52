import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from '#server/settings/config';
import { settings } from '#server/settings/settings';
import { createPrometheus } from '#server/telemetry/prometheus';

/*
 * The files of deploy/, held against the product: what they name exists, and what they set is understood. Whether they are
 * well-formed for those who read them, their own tools say: tests/deploy-tools.test.ts.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** Known to those around us: Node.js itself. */
const others = ['NODE_ENV'];
const isSetting = (name: string) => name in settings.shape || others.includes(name);

const serviceSchema = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  volumes: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).optional(),
  network_mode: z.string().optional(),
});
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});
const compose = composeSchema.parse(parse(text('deploy/compose.yaml'), { merge: true }));
const servicesOf = (role: string) =>
  Object.entries(compose.services).flatMap(([name, service]) => (name.startsWith(role) ? [service] : []));

/** What somebody who fills in deploy/env.example may write there. */
const filledIn = Object.fromEntries(
  text('deploy/env.example')
    .split('\n')
    .flatMap((line) => /^([A-Z0-9_]+)=(.*)$/.exec(line)?.slice(1, 3) ?? [])
    .reduce<[string, string][]>((pairs, each, n, all) => {
      if (n % 2 === 0) pairs.push([each, all[n + 1] || 'c0ffee'.repeat(8)]);
      return pairs;
    }, []),
);
const interpolated = (environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{([A-Z0-9_]+)(?::[?-][^}]*)?\}/g, (_, known: string) => {
        expect(Object.keys(filledIn), `${known} of compose.yaml in env.example`).toContain(known);
        return filledIn[known] ?? '';
      }),
    ]),
  );

describe('compose.yaml', () => {
  it('sets what the servers understand: remote ears and voice, rooms, store and database', () => {
    for (const { environment } of [...servicesOf('web-'), ...servicesOf('speech-')])
      for (const name of Object.keys(environment)) expect(isSetting(name), name).toBe(true);
    const [web] = servicesOf('web-');
    const [speech] = servicesOf('speech-');
    const config = readConfig(interpolated(web?.environment ?? {}));
    const { speechServer } = readConfig(interpolated(speech?.environment ?? {}));
    expect(speechServer).toMatchObject({ host: '0.0.0.0', port: 3100 });
    expect(config.speechRecognition?.apiKey).toBe(speechServer.apiKey);
    expect(config.speechSynthesis?.apiKey).toBe(speechServer.apiKey);
    expect(config).toMatchObject({
      databaseUrl: expect.stringContaining('@postgres:5432/'),
      redisUrl: expect.stringContaining('@redis:6379'),
      mediaBucket: { bucket: 'sigma-recordings', endpoint: 'http://store:7070' },
      rooms: { livekit: { url: 'wss://rooms.example.com' } },
      publicUrl: 'https://care.example.com',
    });
  });

  it('names its proxy to the web instances, by the addresses that it has, and by no other', () => {
    const [web] = servicesOf('web-');
    const { trustedProxies } = readConfig(interpolated(web?.environment ?? {}));
    const networks = z
      .record(z.string(), z.object({ ipv4_address: z.string().optional() }))
      .parse(compose.services.proxy?.networks);
    expect(trustedProxies).toEqual(Object.values(networks).map(({ ipv4_address }) => ipv4_address));
    expect(Object.keys(networks).sort()).toEqual(Object.keys(compose.networks).sort());
  });

  it('runs two of each, on a root that nobody writes to, with time to end', () => {
    expect([servicesOf('web-').length, servicesOf('speech-').length]).toEqual([2, 2]);
    const overdue = Number(/OVERDUE_MS = (\d+)_000/.exec(text('server/app/lifecycle.ts'))?.[1]);
    for (const service of [...servicesOf('web-'), ...servicesOf('speech-')]) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(overdue);
    }
    const volumes = servicesOf('web-').map(({ volumes }) => volumes);
    expect(volumes).toEqual([['web-1:/data'], ['web-2:/data']]);
  });

  it('waits for those who can say that they are there, and names no volume or network that is not', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const [other, { condition }] of Object.entries(service.depends_on)) {
        expect(Object.keys(compose.services), `${name} waits for`).toContain(other);
        // Those of our own image have the one of the Dockerfile.
        if (condition === 'service_healthy')
          expect(compose.services[other]?.healthcheck ?? other.startsWith('web-'), other).toBeTruthy();
      }
      for (const volume of service.volumes.filter((each) => !each.startsWith('.')))
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      const networks = Array.isArray(service.networks)
        ? service.networks
        : Object.keys(service.networks ?? {});
      for (const network of networks) expect(Object.keys(compose.networks)).toContain(network);
    }
  });

  it('has its proxy lead to services that are there', () => {
    const servers = [...text('deploy/nginx/sigma.conf.template').matchAll(/^\s+server ([\w-]+):(\d+)/gm)];
    expect(servers.map(([, name, port]) => `${name}:${port}`)).toEqual([
      'web-1:3000',
      'web-2:3000',
      'speech-1:3100',
      'speech-2:3100',
      'livekit:7880',
    ]);
    for (const [, name = ''] of servers) expect(Object.keys(compose.services)).toContain(name);
  });
});

it('the proxy logs paths without their queries, where keys stand', () => {
  const config = text('deploy/nginx/sigma.conf.template');
  const [, format = ''] = /log_format sigma '([^']+)'/.exec(config) ?? [];
  expect(format).toContain('$logged_path');
  expect(format).not.toMatch(/\$(?:request\b(?!_)|request_uri|args|query_string|uri|http_referer)/);
  const servers = config.split(/^server \{$/m).slice(1);
  expect(servers).toHaveLength(4);
  for (const server of servers) expect(server).toMatch(/^ {2}access_log (?:off|\S+ sigma);$/m);
});

describe('the Dockerfile', () => {
  const dockerfile = text('deploy/Dockerfile');

  it('copies what is there, and everything that a build reads', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, all = '']) =>
      all.split(' '),
    );
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true);
    const sources = /const sources = \[([^\]]+)\]/.exec(text('scripts/lib/prepare.js'))?.[1] ?? '';
    for (const [, source = ''] of sources.matchAll(/'([^']+)'/g))
      expect(
        copied.some((path) => source === path || source.startsWith(`${path}/`)),
        source,
      ).toBe(true);
  });

  it('starts the servers themselves, which are there', () => {
    const commands = [dockerfile, text('deploy/compose.yaml'), text('deploy/sigma.service')].join('\n');
    const started = [...commands.matchAll(/dist\/(server\/[\w/-]+)\.js/g)].map(([, path]) => `${path}.ts`);
    expect(new Set(started)).toEqual(
      new Set(['server/app/main.ts', 'server/app/speech-main.ts', 'server/engines/weights/fetch-main.ts']),
    );
    for (const path of started) expect(existsSync(join(root, path)), path).toBe(true);
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  });

  it('sets what the server understands', () => {
    for (const [, name = ''] of dockerfile.matchAll(/(?:^ENV |^ {4})([A-Z][A-Z_]+)=/gm))
      expect(isSetting(name), name).toBe(true);
  });
});

describe('the systemd unit', () => {
  it('sets what the server understands, and gives it time to end', () => {
    const unit = text('deploy/sigma.service');
    for (const [, name = ''] of unit.matchAll(/^Environment=([A-Z_]+)=/gm))
      expect(isSetting(name), name).toBe(true);
    const overdue = Number(/OVERDUE_MS = (\d+)_000/.exec(text('server/app/lifecycle.ts'))?.[1]);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(overdue);
  });
});

describe('the Helm chart', () => {
  const chart = 'deploy/helm/sigma';
  const templates = readdirSync(join(root, chart, 'templates')).map((name) =>
    text(`${chart}/templates/${name}`),
  );
  const values = z
    .object({ settings: z.record(z.string(), z.string()), drain: z.object({ preStopSeconds: z.number() }) })
    .parse(parse(text(`${chart}/values.yaml`)));

  it('sets what the server understands', () => {
    const named = templates.flatMap((template) => [
      ...[...template.matchAll(/^\s+([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name),
      ...[...template.matchAll(/name: ([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => name),
      ...[...template.matchAll(/key: ([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => name),
    ]);
    expect(named.length).toBeGreaterThan(10);
    for (const name of [...named, ...Object.keys(values.settings)])
      expect(isSetting(name ?? ''), name).toBe(true);
  });

  it('gives a pod time for its preStop and the server’s own end', () => {
    const after = Number(/add \.Values\.drain\.preStopSeconds (\d+)/.exec(templates.join('\n'))?.[1]);
    expect(after).toBeGreaterThan(
      Number(/OVERDUE_MS = (\d+)_000/.exec(text('server/app/lifecycle.ts'))?.[1]),
    );
  });
});

it('the dashboard asks for counters that are there', async () => {
  const metrics = createPrometheus();
  metrics.show({
    turns: () => 0,
    speakers: () => ({ taken: 0, max: 1 }),
    rooms: () => ({ taken: 0, max: 1 }),
    participants: () => 0,
    sockets: () => 0,
    database: () => ({ open: 0, idle: 0, waiting: 0 }),
    diskFree: async () => 1,
    recordings: async () => ({ count: 0, bytes: 0 }),
    events: async () => [],
  });
  const known = new Set([...(await metrics.page()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  metrics.close();
  const board = text('deploy/grafana/sigma.json');
  JSON.parse(board);
  const asked = new Set([...board.matchAll(/\b(?:sigma|nodejs|process)_\w+/g)].map(([name]) => name));
  asked.delete('sigma_');
  expect(asked.size).toBeGreaterThan(20);
  const unknown = [...asked].filter(
    (name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')) && !known.has(name),
  );
  expect(unknown).toEqual([]);
});
