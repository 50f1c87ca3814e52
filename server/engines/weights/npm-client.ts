import { exec, execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The user's npm settings for reaching the registry, named as in npm-registry-fetch. Structured-clonable. */
export type NpmSettings = Readonly<Record<string, string | boolean | string[]>>;

const CLIENT_TIMEOUT_MS = 20_000;

/** npm's names → those of npm-registry-fetch. */
const plainNames: Readonly<Record<string, string>> = {
  registry: 'registry',
  proxy: 'proxy',
  'https-proxy': 'httpsProxy',
  noproxy: 'noProxy',
  ca: 'ca',
  cert: 'cert',
  key: 'key',
  'strict-ssl': 'strictSSL',
  'local-address': 'localAddress',
};

/**
 * Reads the npm client's settings, so that a user's registry, proxy and certificates apply. Without npm on
 * the machine the library's defaults apply. Credentials are not included: npm does not reveal them.
 */
export async function readNpmSettings(signal?: AbortSignal): Promise<NpmSettings> {
  const output = await runNpm(['config', 'ls', '--json'], { timeout: CLIENT_TIMEOUT_MS, signal }).catch(
    (error) => {
      if (signal?.aborted) throw error;
      return '{}';
    },
  );
  const parsed = z.record(z.string(), z.unknown()).safeParse(parseJson(output));
  const config = parsed.success ? parsed.data : {};
  const settings: Record<string, string | boolean | string[]> = {};
  for (const [name, value] of Object.entries(config)) {
    const known = plainNames[name] ?? (/^@[^:]+:registry$|^\/\/.*:(cert|key)file$/.test(name) ? name : null);
    if (known && isSetting(value)) settings[known] = value;
  }
  if (Array.isArray(settings.noProxy)) settings.noProxy = settings.noProxy.filter(Boolean).join(',');
  const cafile = config.cafile;
  if (typeof cafile === 'string' && cafile) {
    const bundle = await readFile(cafile, 'utf8').catch(() => '');
    const certificates = bundle.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
    if (certificates) settings.ca = [...certificates];
  }
  return settings;
}

/**
 * Fetches a tarball with the npm client itself, which alone can read the user's credentials.
 * @param to destination path; on the same disk as `workDir`
 */
export async function npmPack(spec: string, workDir: string, to: string, signal: AbortSignal): Promise<void> {
  const dir = await mkdtemp(join(workDir, 'pack-'));
  try {
    await runNpm(['pack', spec, '--silent', '--pack-destination', dir], { signal });
    const tarball = (await readdir(dir)).find((file) => file.endsWith('.tgz'));
    if (!tarball) throw new Error('npm pack left no tarball.');
    await rename(join(dir, tarball), to);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** On Windows npm is a command file, which only a shell can start. */
function runNpm(
  args: readonly string[],
  options: { signal?: AbortSignal | undefined; timeout?: number },
): Promise<string> {
  const settings = { ...options, windowsHide: true, maxBuffer: 4 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, stdout: string | Buffer) =>
      error ? reject(error) : resolve(String(stdout));
    if (process.platform === 'win32') exec(['npm', ...args.map(quote)].join(' '), settings, done);
    else execFile('npm', args, settings, done);
  });
}

const quote = (argument: string) => (/^[\w@./-]+$/.test(argument) ? argument : `"${argument}"`);

const isSetting = (value: unknown): value is string | boolean | string[] =>
  (typeof value === 'string' && value !== '' && value !== '(protected)') ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
