import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { environmentOfEngines, environmentOfNpm } from '#server/lib/environment';
import { secretSettings } from '#server/settings/in-environment';
import { type Program, startProgram } from './support/programs.ts';

const MARK = 'marked-0123456789';
/** Addresses at which nothing listens; every secret holds the mark. */
const secrets: Record<string, string> = Object.fromEntries(
  secretSettings.map((name) => [name, `http://${MARK}:${MARK}@127.0.0.1:9/`]),
);
Object.assign(secrets, {
  DATABASE_URL: `postgresql://sigma:${MARK}@127.0.0.1:9/sigma`,
  REDIS_URL: `redis://:${MARK}@127.0.0.1:9`,
  SMTP_URL: `smtps://sigma:${MARK}@127.0.0.1:9`,
  LIVEKIT_URL: `ws://${MARK}:${MARK}@127.0.0.1:9`,
  SPEECH_API_KEY: MARK,
});
const around = {
  LLM_MODEL: 'small',
  S3_BUCKET: 'sigma',
  MAIL_FROM: 'care@example.com',
  PUBLIC_URL: 'https://care.example.com',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'sigma',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-inside-'));
});
afterAll(() => rm(folder, { recursive: true }));

const saidSchema = z.object({
  program: z.array(z.string()),
  thread: z.array(z.string()),
  native: z.array(z.string()),
  databaseUrl: z.string(),
});

describe('secrets, once they are read', () => {
  it('are in no environment: of the program, of its threads, of the process of the native engines', async () => {
    const program = startProgram('tests/support/environments.ts', [], {
      ...secrets,
      ...around,
      HOME: folder,
    });
    expect(await program.ended).toBe(0);
    const said = saidSchema.parse(JSON.parse(program.output().stdout));
    expect(said.databaseUrl).toBe(secrets.DATABASE_URL);
    for (const where of [said.program, said.thread, said.native]) {
      expect(where).toEqual(expect.arrayContaining(['PATH', 'HOME']));
      expect(where.filter((name) => secretSettings.includes(name))).toEqual([]);
    }
    // What is no secret is nothing for threads either.
    expect(said.program).toContain('S3_BUCKET');
    expect([...said.thread, ...said.native].filter((name) => name in around)).toEqual([]);
  });

  it('of libraries stay for them in the program, and go no further', () => {
    const env = {
      PATH: '/bin',
      HTTPS_PROXY: 'http://proxy',
      TZ: 'UTC',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      AWS_SECRET_ACCESS_KEY: MARK,
      OTEL_EXPORTER_OTLP_HEADERS: MARK,
      PGPASSWORD: MARK,
      NPM_TOKEN: 'npm',
      npm_config_registry: 'http://npm',
    };
    expect(Object.keys(environmentOfEngines(env))).toEqual([
      'MALLOC_ARENA_MAX',
      'PATH',
      'HTTPS_PROXY',
      'TZ',
      'NODE_EXTRA_CA_CERTS',
      'NODE_ENV',
      'ORT_DISABLE_TELEMETRY',
    ]);
    const npm = ['PATH', 'HTTPS_PROXY', 'TZ', 'NODE_EXTRA_CA_CERTS', 'NPM_TOKEN', 'npm_config_registry'];
    expect(Object.keys(environmentOfNpm(env))).toEqual(npm);
  });
});

// What a process was started with is shown by Linux alone.
describe.runIf(process.platform === 'linux')('programs that the server starts', () => {
  let server: Program;
  afterAll(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
  });

  it('are started without a secret: engines, the maker of a first database, the npm client', async () => {
    const seen = join(folder, 'npm-environment');
    const npm = join(folder, 'npm');
    // It writes under another name first: what is read is whole.
    await writeFile(npm, `#!/bin/sh\nenv > ${seen}.part; mv ${seen}.part ${seen}; echo '{}'\n`);
    await chmod(npm, 0o755);
    const { DATABASE_URL: _, REDIS_URL: __, ...opensNothing } = secrets;
    server = startProgram('server/app/main.ts', [], {
      ...opensNothing,
      ...around,
      PATH: [folder, process.env.PATH].join(delimiter),
      HOME: folder,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      MODELS_DIR: join(folder, 'models'),
      npm_config_registry: 'http://127.0.0.1:9/',
      LOG_LEVEL: 'silent',
    });
    const pid = server.child.pid ?? 0;
    const started = new Set<string>();
    const look = setInterval(() => {
      for (const environment of environmentsBelow(pid)) started.add(environment);
    }, 20);
    await server.until(({ stdout }) => stdout.includes('Sigma is ready'));
    await expect.poll(() => [...started].some((each) => each.includes('ORT_DISABLE_TELEMETRY'))).toBe(true);
    await expect.poll(() => readdir(folder)).toContain('npm-environment');
    clearInterval(look);
    expect(await readFile(seen, 'utf8')).toContain('npm_config_registry=');
    expect([...started, await readFile(seen, 'utf8')].filter((each) => each.includes(MARK))).toEqual([]);
    // The kernel keeps what the server itself was started with: only a secret in a file is not there.
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(MARK);
  });
});

/** What each process below one was started with; one that has just gone is passed over. */
function environmentsBelow(pid: number): string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').map(Number).filter(Boolean);
  // Between fork and exec a child is its parent's image still, environment and all.
  const isItself = (child: number) => read(`/proc/${child}/cmdline`) !== read(`/proc/${pid}/cmdline`);
  return children.flatMap((child) => [
    ...(isItself(child) ? [read(`/proc/${child}/environ`)] : []),
    ...environmentsBelow(child),
  ]);
}
