// Prepares a checkout so that the server can run: installs dependencies, builds sources. Plain JavaScript
// with Node's own modules, because it runs before node_modules exists. Steps whose result is up to date are
// skipped.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { secretSettings } from './secret-settings.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (...parts) => join(root, ...parts);

/** A failed step; the message tells a person what to do. */
export class PrepareError extends Error {}

/**
 * Installs and builds whatever is out of date, then runs from dist/; on failure prints a sentence and ends
 * the process.
 */
export async function makeRunnable() {
  try {
    process.chdir(root);
    checkNodeVersion();
    await installIfStale('production');
    await buildIfStale();
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

/** Rejects a Node.js version that is not supported. */
export function checkNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new PrepareError(
    `Sigma needs Node.js 20.19 or newer, this is ${version}. Install a newer one from your package manager.`,
  );
}

/**
 * Installs dependencies if node_modules does not match the lock file for this platform.
 * @param {'production' | 'development'} kind development adds what tests and checks need; it is kept once
 * installed
 */
export async function installIfStale(kind) {
  const installed = readJson(at('node_modules', '.package-lock.json'))?.packages ?? {};
  const withTools = kind === 'development' || 'node_modules/vitest' in installed;
  const wanted = Object.entries(readJson(at('package-lock.json')).packages).filter(
    ([path, entry]) => path !== '' && (withTools || !entry.dev) && suits(entry),
  );
  if (wanted.every(([path, entry]) => installed[path]?.version === entry.version)) return;
  say('Installing dependencies …');
  const omit = withTools ? [] : ['--omit=dev'];
  await run(...npm(['ci', ...omit, '--no-audit', '--no-fund', '--loglevel=error']), {
    failure:
      'The dependencies could not be installed. Check that this machine reaches the npm registry, then start again.',
  });
}

let knownLibc;
function libc() {
  // Otherwise the report resolves the names of open connections, which takes seconds.
  process.report.excludeNetwork = true;
  knownLibc ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
  return knownLibc;
}

/** Whether npm must have installed this entry: it skips optional packages and those for other platforms. */
function suits(entry) {
  const fits = (list, value) =>
    !list ||
    (!list.includes(`!${value}`) && (list.every((each) => each.startsWith('!')) || list.includes(value)));
  return (
    fits(entry.os, process.platform) &&
    fits(entry.cpu, process.arch) &&
    (process.platform !== 'linux' || fits(entry.libc, libc())) &&
    (!entry.optional || entry.os !== undefined)
  );
}

const sources = [
  'shared',
  'server',
  'web',
  'scripts/copy-assets.js',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.server.json',
  'tsconfig.web.json',
];

/** Builds server and page into dist/ if a source changed since the last build. */
export async function buildIfStale() {
  const stamp = at('dist', '.sigma-build');
  const files = sources.flatMap((path) => filesUnder(at(path))).filter((file) => !/\.test\.tsx?$/.test(file));
  const wanted = hashOf(files);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Building …');
  rmSync(at('dist'), { recursive: true, force: true });
  mkdirSync(at('dist'));
  const failure = 'The build failed; the lines above say where.';
  await Promise.all([
    run(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.server.json'], {
      failure,
    })
      .then(() => run(process.execPath, [at('scripts/copy-assets.js')], { failure }))
      .then(() => run(process.execPath, [at('dist/server/database/make-new.js')], { failure })),
    run(process.execPath, [at('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      failure,
      // Ignore the shell's value: any other would build React's development version.
      env: { ...withoutSecrets(), NODE_ENV: 'production' },
    }),
  ]);
  writeFileSync(stamp, wanted);
}

/**
 * The npm that started this process, else the one on the PATH; through a shell only where Windows requires
 * it.
 */
export function npm(args) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('.js')) return [process.execPath, [cli, ...args]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];
}

/**
 * Runs a program to its end, with its output on stderr (stdout is reserved for the ready line).
 * @throws PrepareError with `failure` as its message
 */
export function run(command, args, { failure, env = withoutSecrets(), cwd = root }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 2, 2],
      shell: command.endsWith('.cmd'),
    });
    child.once('error', () => reject(new PrepareError(failure)));
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new PrepareError(failure))));
  });
}

/** Installing and building run third-party code, which needs no secrets. */
const withoutSecrets = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !secretSettings.includes(name)));

export function say(line) {
  process.stderr.write(`${line}\n`);
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  const entries = (() => {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch {
      return null;
    }
  })();
  if (!entries) return [path];
  return entries
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]))
    .sort();
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
