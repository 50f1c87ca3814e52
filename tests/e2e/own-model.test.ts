import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeRegistry, startFakeRegistry } from '#server/engines/weights/fake';
import { signedInSchema } from '#shared/accounts';
import { engineSettingsSchema, engineTrialsSchema } from '#shared/engine-settings';
import { aRegistration } from '../factories.ts';
import { CallClient } from '../support/call-world.ts';
import { type RunningServer, startServer, withoutSpeech } from './support/server.ts';

/** A Python with the packages of `tests/support/small-model.txt`: a small model, and llama.cpp. */
const python = process.env.SIGMA_TEST_SMALL_MODEL ?? '';
/** A llama-server of llama.cpp's own build, if there is one. */
const built = process.env.SIGMA_TEST_LLAMA_SERVER ?? '';
const NAME = 'SmolLM2-135M-Instruct';

describe.skipIf(!python || process.platform !== 'linux')(
  'a real small model on this machine (skipped where pip cannot install it, and elsewhere than on Linux)',
  () => {
    let dir: string;
    let host: FakeRegistry;
    let server: RunningServer;
    let token = '';
    let account: ConstructorParameters<typeof CallClient>[1];
    let model: Buffer;

    beforeAll(async () => {
      dir = await mkdtemp(join(tmpdir(), 'sigma-own-model-'));
      host = await startFakeRegistry();
      model = await readFile(await packagedModel());
      const program = built || (await aProgram(join(dir, 'llama-server')));
      server = await startServer({ env: { ...withoutSpeech, MODELS_DIR: dir, LLM_OWN_SERVER: program } });
      const signedIn = signedInSchema.parse(await api('POST', '/api/auth/register', aRegistration()));
      token = signedIn.token;
      account = { token, ...signedIn.user };
    });
    afterAll(async () => {
      await server?.stop();
      await host?.down();
      await rm(dir, { recursive: true, force: true });
    });

    async function aProgram(path: string): Promise<string> {
      const shim = fileURLToPath(new URL('../support/llama-server.py', import.meta.url));
      await writeFile(path, `#!/bin/sh\nexec "${python}" "${shim}" "$@"\n`);
      await chmod(path, 0o755);
      return path;
    }

    async function packagedModel(): Promise<string> {
      const packages = join(python, '..', '..', 'lib');
      const names = await readdir(packages, { recursive: true });
      const file = names.find((name) => name.endsWith('.gguf'));
      if (!file) throw new Error('The package has no model.');
      return join(packages, file);
    }

    async function api(method: string, path: string, body?: object) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect(response.ok).toBe(true);
      return response.json();
    }
    const use = (values: Record<string, string | null>) =>
      api('PUT', '/api/settings/engines/language', { values });
    const language = async () => {
      const { engines } = engineSettingsSchema.parse(await api('GET', '/api/settings/engines'));
      return engines.find(({ capability }) => capability === 'language');
    };
    const tried = async () =>
      engineTrialsSchema.parse(await api('POST', '/api/settings/engines/language/try', {})).trials;
    /** A trial with an answer: a busy machine may take longer for one than a caller waits. */
    async function answered() {
      for (let attempt = 0; attempt < 15; attempt++) {
        const [trial] = await tried();
        if (trial?.text) return trial;
        await delay(3_000);
      }
      throw new Error('It never answered.');
    }
    const isReady = async () => {
      const { status } = (await language()) ?? {};
      return status?.message;
    };
    /** The demo agent's words to a customer. */
    async function saidInACall(message: string): Promise<string | undefined> {
      const customer = new CallClient(server.url, account, { streaming: true });
      await customer.connected();
      const { conversationId } = await customer.start({ voice: false });
      await customer.say(conversationId, message, { voice: false });
      await expect.poll(() => customer.all('ai_response').length, { timeout: 60_000 }).toBe(1);
      customer.socket.disconnect();
      return customer.all('ai_response')[0]?.message;
    }
    /** Processes of this machine that run the model's file. */
    async function running(): Promise<number[]> {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const lines = await Promise.all(
        pids.map(
          async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const,
        ),
      );
      return lines
        .filter(([, line]) => line.includes('--alias') && line.includes(dir))
        .map(([pid]) => Number(pid));
    }

    it('is fetched, checked, loaded, and answers', async () => {
      const url = host.put(`${NAME}.gguf`, model);
      await use({ LLM_OWN_MODEL: url, LLM_OWN_SHA256: createHash('sha256').update(model).digest('hex') });
      expect((await language())?.name).toBe(NAME);
      await expect.poll(isReady, { timeout: 120_000, interval: 500 }).toBe(`${NAME} answers.`);
      const trial = await answered();
      expect(trial.name).toBe(NAME);
      expect(trial.tokens?.output).toBeGreaterThan(0);
    });

    it('has one process, which comes back when it is killed', async () => {
      const [pid = 0, ...others] = await running();
      expect(others).toEqual([]);
      process.kill(pid, 'SIGKILL');
      await expect
        .poll(async () => (await running()).some((other) => other !== pid), {
          timeout: 120_000,
          interval: 500,
        })
        .toBe(true);
      // It is loaded: its speed on a busy machine does not matter.
      await expect
        .poll(isReady, { timeout: 120_000, interval: 500 })
        .toMatch(/ answers\.$|^The language model took too long/);
    });

    it('ends when it is used no more, and the embedded reader answers', async () => {
      await use({ LLM_OWN_MODEL: null, LLM_OWN_SHA256: null });
      await expect.poll(running, { timeout: 30_000 }).toEqual([]);
      expect(await tried()).toMatchObject([
        { name: 'Grounded responder', text: expect.stringContaining('45 days') },
      ]);
    });

    it('says that half of its file is no whole model, and the embedded reader answers meanwhile', async () => {
      await writeFile(join(dir, 'language', 'half.gguf'), model.subarray(0, model.length / 2));
      await use({ LLM_OWN_MODEL: 'half.gguf' });
      await expect
        .poll(isReady, { timeout: 120_000, interval: 500 })
        .toBe(
          'llama.cpp cannot read the model’s file: it is damaged, not whole, or of a kind that it does not know.',
        );
      expect(await saidInACall('How long can I return items?')).toContain('45 days');
    });

    it('ends with a server that is killed', async () => {
      await writeFile(join(dir, 'language', 'whole.gguf'), model);
      await use({ LLM_OWN_MODEL: 'whole.gguf' });
      await expect.poll(isReady, { timeout: 120_000, interval: 500 }).toBe('whole answers.');
      expect(await running()).toHaveLength(1);
      await server.stop('SIGKILL');
      await expect.poll(running, { timeout: 30_000 }).toEqual([]);
    });
  },
);
