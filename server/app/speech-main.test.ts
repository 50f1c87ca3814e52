import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../../tests/support/programs.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sigma-speech-'));
});
afterAll(() => rm(folder, { recursive: true }));

const startSpeech = (env: NodeJS.ProcessEnv) =>
  startProgram('server/app/speech-main.ts', [], {
    SPEECH_PORT: '0',
    MODELS_DIR: join(folder, 'models'),
    DATA_DIR: join(folder, 'data'),
    HOME: folder,
    npm_config_registry: 'http://127.0.0.1:9/',
    ...env,
  });

it('says where it is in one line, serves without data, and ends cleanly on SIGTERM', async () => {
  const program = startSpeech({ STT_BASE_URL: 'http://127.0.0.1:9/v1' });
  await program.until(({ stdout }) => stdout.includes('\n'));
  const [, address = ''] =
    /^Sigma's ears and voice are at (http:\/\/127\.0\.0\.1:\d+)\/v1\n$/.exec(program.output().stdout) ?? [];
  expect((await fetch(`${address}/health`)).status).toBe(200);
  // Uses the embedded engines, whatever other engines the settings name.
  const ready = await (await fetch(`${address}/ready`)).json();
  expect(ready).toMatchObject({ missing: { ears: expect.any(String), voice: expect.any(String) } });
  program.child.kill('SIGTERM');
  expect(await program.ended).toBe(process.platform === 'win32' ? 'SIGTERM' : 0);
  expect(await readdir(folder)).not.toContain('data');
});

it('does not open itself to others without a key', async () => {
  const program = startSpeech({ SPEECH_HOST: '0.0.0.0' });
  expect(await program.ended).toBe(1);
  expect(program.output().stderr).toBe(
    'The setting SPEECH_API_KEY is missing: with SPEECH_HOST=0.0.0.0 everybody who reaches this machine could use its ears and voice.\n',
  );
});
