import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeSecrets } from '#server/app/take-secrets';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { readConfig } from './config.ts';
import { secretSettings } from './in-environment.ts';
import { type SecretTakers, watchSecrets } from './watch-secrets.ts';

let folder: string;
let logs: ReturnType<typeof capturedLogger>;
const stops: (() => void)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigma-secrets-'));
  logs = capturedLogger();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  rmSync(folder, { recursive: true });
});

const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** Watches files that were read at the start; checks on request unless the test sets an interval. */
function watch(env: NodeJS.ProcessEnv, takers: SecretTakers, everyMs = 3_600_000) {
  readConfig(env);
  const watching = watchSecrets({ env, takers, logger: logs.logger, everyMs });
  stops.push(watching.stop);
  return watching;
}
const said = () => logs.lines().map(({ msg, setting, settings }) => [msg, setting ?? settings]);

it('has what changed taken into use, with all settings as they are then', async () => {
  const env = {
    TTS_BASE_URL: 'https://voice.example/v1',
    TTS_API_KEY_FILE: file('voice', 'first'),
    SPEECH_API_KEY_FILE: file('speech', 'key-of-the-speech-server'),
  };
  const taken: unknown[] = [];
  const { look } = watch(env, {
    TTS_API_KEY({ speechSynthesis }) {
      taken.push(speechSynthesis?.apiKey);
      return true;
    },
  });
  await look();
  expect([taken, readConfig(env).speechSynthesis?.apiKey]).toEqual([[], 'first']);
  file('voice', 'second\n');
  // Belongs to another program.
  file('speech', 'another-key-of-the-speech-server');
  await look();
  await look();
  expect([taken, readConfig(env).speechSynthesis?.apiKey]).toEqual([['second'], 'second']);
  expect(said()).toEqual([['a changed secret is in use', 'TTS_API_KEY']]);
});

it('looks by itself until it is stopped, also where a folder was put in the place of another', async () => {
  for (const [version, secret] of [
    ['1', 'first'],
    ['2', 'second'],
  ] as const) {
    mkdirSync(join(folder, version));
    file(`${version}/key`, secret);
  }
  // As Kubernetes mounts a volume: the file's own name never changes.
  symlinkSync(join(folder, '1'), join(folder, 'data'));
  symlinkSync(join(folder, 'data/key'), join(folder, 'key'));
  const taken: unknown[] = [];
  const take = ({ languageModels: [model] }: ReturnType<typeof readConfig>) => {
    taken.push(model?.apiKey);
    return true;
  };
  const env = { ANTHROPIC_API_KEY_FILE: join(folder, 'key') };
  const { look, stop } = watch(env, { ANTHROPIC_API_KEY: take }, 5);
  symlinkSync(join(folder, '2'), join(folder, 'next'));
  renameSync(join(folder, 'next'), join(folder, 'data'));
  await expect.poll(() => taken).toEqual(['second']);
  stop();
  await look();
  file('2/key', 'third');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(taken).toEqual(['second']);
});

it.each([
  ['is empty', '', 'The file cannot be read, is empty, or is too long.'],
  [
    'leads where nothing is encrypted',
    'postgresql://sigma:hunter2@203.0.113.7/sigma',
    'must end with ?sslmode=verify-full',
  ],
  ['is no such setting', 'hunter2', 'The setting DATABASE_URL is wrong: it must look like'],
])('keeps the secret of before where the new one %s, and says so once', async (_, content, why) => {
  const first = 'postgresql://sigma:first@127.0.0.1/sigma';
  const env = { DATABASE_URL_FILE: file('database', first) };
  const taken: unknown[] = [];
  const { look } = watch(env, { DATABASE_URL: ({ databaseUrl }) => taken.push(databaseUrl) > 0 });
  file('database', content);
  await look();
  await look();
  expect([taken, readConfig(env).databaseUrl]).toEqual([[], first]);
  expect(logs.lines()).toMatchObject([
    { level: 'warn', settings: ['DATABASE_URL'], problem: expect.stringContaining(why) },
  ]);
  expect(JSON.stringify(logs.lines())).not.toContain('hunter2');
  // The next secret is accepted, even one used before.
  file('database', first.replace('first', 'second'));
  await look();
  expect(taken).toEqual(['postgresql://sigma:second@127.0.0.1/sigma']);
});

it('says of a secret that waits for the next start that it does, and tries again what failed', async () => {
  const env = { STT_API_KEY_FILE: file('shared', 'one'), TTS_API_KEY_FILE: join(folder, 'shared') };
  let isAway = true;
  const { look } = watch(env, {
    STT_API_KEY: () => false,
    TTS_API_KEY() {
      if (isAway) throw new Error('The database is away.');
      return true;
    },
  });
  file('shared', 'two');
  await look();
  expect(said()).toEqual([
    ['a changed secret waits for the next start', 'STT_API_KEY'],
    ['a changed secret could not be put to use yet', 'TTS_API_KEY'],
  ]);
  isAway = false;
  await look();
  await look();
  expect(said().slice(2)).toEqual([['a changed secret is in use', 'TTS_API_KEY']]);
});

it('knows whose every secret is', () => {
  const never = () => {
    throw new Error('Nobody asks.');
  };
  const takers = takeSecrets({
    database: {},
    engines: { sharedState: {}, mail: null, identity: null, controls: { inUse: readConfig({}) } },
    app: { takeUpSettings: never },
  });
  expect(Object.keys(takers).sort()).toEqual(
    secretSettings.filter((name) => name !== 'SPEECH_API_KEY').sort(),
  );
});
