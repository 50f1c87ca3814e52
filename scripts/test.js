// `npm test`: the everyday tests. `npm run test:all` (--all): the same, then the slow ones that rarely fail.
// `npm run test:fast` (--fast): a minute of tests that need no build, no weights and no browser. All report
// skipped tests with reasons, and end with one line: `N passed, N failed, N skipped`.
//     --report FILE   writes the results to a file …
//     --after FILE    … from which `test:all` continues with the rest, and counts both
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { brokenProofs, readReport, readRows } from './lib/conformance.js';
import {
  buildIfStale,
  checkNodeVersion,
  installIfStale,
  PrepareError,
  root,
  run,
  say,
} from './lib/prepare.js';
import {
  buildLiveKit,
  fetchNodeVersions,
  findChromium,
  findClamd,
  findNginx,
  findRedis,
  installDeployTools,
  installSmallModel,
  makeScratch,
  startPostgres,
} from './lib/test-machine.js';

const { all, fast, report, after } = parseArgs({
  options: {
    all: { type: 'boolean' },
    fast: { type: 'boolean' },
    report: { type: 'string' },
    after: { type: 'string' },
  },
}).values;
const totals = { passed: 0, failed: 0, skipped: 0 };
/** Every test of every suite that ran. */
const results = [];
/** Failures with the runner's output, repeated at the end. */
const failures = [];
const scratch = makeScratch();
// In any case: files left in memory would occupy it until the machine restarts.
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const node = process.execPath;

/**
 * Whole files of the rest. Of some other files it runs the tests that `tests/support/test-part.ts` reserves
 * for it.
 */
const POSTGRES_ONLY = 'server/database/postgresql.test.ts';
const NODE_VERSIONS = 'tests/e2e/node-versions.test.ts';
/**
 * More files at a time where no sound plays in real time: each waits for threads, disk or clock half of the
 * time.
 */
const SIGMA_TEST_WORKERS = String(2 * Math.max(2, availableParallelism() - 1));
/**
 * Slow and rarely failing: whole data directories, killed processes, unpacked packages, recognition of the
 * voice's speech, thousands of broken inputs.
 */
const RARELY_BREAK = [
  'server/database/upgrade.test.ts',
  'server/database/open.test.ts',
  'server/database/embedded/data-directory.test.ts',
  'server/database/embedded/maintenance.test.ts',
  'server/database/embedded/postgres.test.ts',
  'server/commands/backup.test.ts',
  'server/commands/doctor.test.ts',
  'server/commands/reset-password.test.ts',
  'server/commands/reset-owner.test.ts',
  'server/engines/synthesis/voice.test.ts',
  'server/engines/weights/fetch-bundle.test.ts',
  'server/engines/weights/index.test.ts',
  'server/app/main.test.ts',
  'tests/fuzz.test.ts',
  'tests/kills.test.ts',
  'tests/native-process.test.ts',
  'tests/postgres-secrets.test.ts',
  'tests/secrets-inside.test.ts',
];
/** Browser journeys of rare tasks, whose parts have tests of their own. */
const RARE_JOURNEYS = [
  'api-docs',
  'engines',
  'identity',
  'room-owner',
  'signals',
  'unanswered',
  'versions',
].map((name) => `tests/e2e/${name}.test.ts`);
/** Folders whose tests open no database, load no weights and start no program. */
const QUICK = [
  'shared',
  'server/audio',
  'server/languages',
  'server/lib',
  'server/listening',
  'server/settings',
  'server/dialogue/passages',
  'web/src/lib',
  'web/src/ui',
  'tests/architecture.test.ts',
  'tests/texts.test.ts',
];
const EMBEDDED_ROOMS = 'server/engines/rooms';
const REAL_MODEL = 'tests/e2e/real-model.test.ts';
/** They open the database but test routes, roles, mail and codes: another database would add nothing. */
const ALIKE_ON_EVERY_DATABASE = [
  'server/app/every-route.test.ts',
  'server/app/every-role.test.ts',
  'tests/fuzz.test.ts',
  'tests/openapi.test.ts',
  'server/features/accounts/recovery/**',
  'server/features/accounts/federation/**',
  'server/features/accounts/second-factor/**',
];

try {
  process.chdir(root);
  checkNodeVersion();
  await installIfStale('development');
  await (fast ? testQuickly() : testWhole());
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  fail(error.message);
}
if (report) writeFileSync(report, JSON.stringify({ totals, results, failures }));
if (failures.length > 0) process.stdout.write(`\nWhat failed:\n${failures.join('\n')}\n\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);

async function testWhole() {
  const [models] = await Promise.all([
    buildIfStale().then(fetchModels),
    after ? takeOver(after) : checkSources(),
  ]);
  const chromium = findChromium();
  if (!chromium.path) say(`Browser tests are skipped: ${chromium.reason}`);
  const redis = findRedis();
  if (!redis.path) say(`Tests on a Redis server are skipped: ${redis.reason}`);
  const env = {
    ...process.env,
    // Elsewhere the path of a socket in a data directory might become too long.
    ...(process.platform === 'linux' ? { TMPDIR: scratch } : {}),
    SIGMA_TEST_BUILT: '1',
    ...(models ? { SIGMA_TEST_MODELS: models } : {}),
    ...(chromium.path ? { SIGMA_TEST_CHROMIUM: chromium.path } : {}),
    ...(redis.path ? { SIGMA_TEST_REDIS: redis.path } : {}),
  };
  if (!after) await testEveryday({ ...env, SIGMA_TEST_PART: 'everyday' });
  if (all) await testTheRest({ ...env, SIGMA_TEST_PART: 'rest' });
  if (!report) checkConformance();
}

/** A quick check after a small change; only `npm test` checks the conformance of the whole. */
async function testQuickly() {
  await Promise.all([
    checkSources(),
    suite('quick tests', ['run', '--project', 'server*', '--project', 'web*', ...QUICK], process.env),
  ]);
}

async function testEveryday(env) {
  await suite(
    'unit and integration tests',
    [
      ...['run', '--project', 'server*'],
      ...[POSTGRES_ONLY, ...RARELY_BREAK, `${EMBEDDED_ROOMS}/**`].flatMap((file) => ['--exclude', file]),
    ],
    { ...env, SIGMA_TEST_WORKERS },
  );
  // Side by side: rooms wait for packets and clocks, while pages compute.
  await Promise.all([
    suite('rooms', ['run', '--project', 'server*', EMBEDDED_ROOMS], env),
    suite('tests of the page', ['run', '--project', 'web*'], env),
  ]);
  await suite(
    'hearing and end-to-end tests',
    [
      ...['run', '--project', 'hearing', '--project', 'e2e'],
      ...[NODE_VERSIONS, REAL_MODEL, ...RARE_JOURNEYS].flatMap((file) => ['--exclude', file]),
    ],
    env,
  );
}

/**
 * The rest: rarely failing tests, PostgreSQL, a real language model, LiveKit's room server, other
 * connections, other Node.js versions.
 */
async function testTheRest(env) {
  await suite('what rarely breaks', ['run', ...RARELY_BREAK], { ...env, SIGMA_TEST_WORKERS });
  await onPostgres(env);
  const cache = join(root, '.cache');
  const smallModel = installSmallModel(cache);
  // Alone: its computing would slow down sound that plays in real time.
  if (smallModel.python)
    await suite('a real language model', ['run', REAL_MODEL], {
      ...env,
      SIGMA_TEST_SMALL_MODEL: smallModel.python,
    });
  else say(`\nNo real language model is asked: ${smallModel.reason}`);
  const nodes = fetchNodeVersions(cache);
  if (nodes.reason) say(`Some Node.js versions are not tried: ${nodes.reason}`);
  const liveKit = buildLiveKit(cache);
  if (!liveKit.path) say(`The room tests run without a LiveKit server beside ours: ${liveKit.reason}`);
  const clamd = findClamd();
  if (!clamd.path) say(`Files are scanned by a stand-in alone: ${clamd.reason}`);
  const nginx = findNginx();
  if (!nginx.path) say(`The proxy's configuration is not read by nginx: ${nginx.reason}`);
  const tools = installDeployTools(cache);
  if (!tools.python) say(`Some files of deploy/ are not read: ${tools.reason}`);
  await suite(
    'rooms on LiveKit, rare journeys, other connections, other Node.js versions, the files of deploy/',
    [
      'run',
      'server/engines/antivirus/clamd.test.ts',
      'server/engines/rooms/rooms.test.ts',
      'server/engines/rooms/livekit.test.ts',
      'tests/deploy-tools.test.ts',
      'tests/speech/live-room.test.ts',
      'tests/e2e/rooms/rooms.test.ts',
      'tests/e2e/topology.test.ts',
      ...RARE_JOURNEYS,
      NODE_VERSIONS,
    ],
    {
      ...env,
      ...(clamd.path ? { SIGMA_TEST_CLAMD: clamd.path } : {}),
      ...(liveKit.path ? { SIGMA_TEST_LIVEKIT: liveKit.path } : {}),
      ...(tools.python ? { SIGMA_TEST_DEPLOY_TOOLS: tools.python } : {}),
      SIGMA_TEST_NODES: JSON.stringify(nodes.binaries),
    },
  );
}

/** Format, lint and types, side by side. Each counts as one test. */
async function checkSources() {
  await Promise.all([
    check('Biome: format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']),
    check('TypeScript: server, tests and scripts', [
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.json',
    ]),
    check('TypeScript: end-to-end tests', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.e2e.json']),
    check('TypeScript: web', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.web.json']),
  ]);
}

async function check(name, args) {
  let output = '';
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const status = await ended(child);
  if (status !== 0) return fail(`${name}\n${output}`);
  totals.passed++;
  say(`${output}✓ ${name}`);
}

/**
 * Runs vitest on some projects or files and adds its counts. A run that dies before it reports counts as one
 * failure.
 */
async function suite(name, args, env) {
  const file = join(scratch, `${name.replaceAll(/\W+/g, '-')}.json`);
  say(`\n── ${name}`);
  const child = spawn(
    node,
    [
      'node_modules/vitest/vitest.mjs',
      ...args,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { stdio: ['ignore', 2, 2], env },
  );
  await ended(child);
  if (!existsSync(file)) {
    return fail(`${name}: the runner stopped before it could report.`);
  }
  const result = JSON.parse(readFileSync(file, 'utf8'));
  results.push(...readReport(result, root));
  totals.passed += result.numPassedTests;
  totals.skipped += result.numPendingTests + result.numTodoTests;
  const failed = failedTests(result);
  for (const sentence of failed) fail(`${name}: ${sentence}`);
  if (!result.success && failed.length === 0)
    fail(`${name}: an error outside the tests; the lines above say which.`);
}

/** Every failed test, and every file that could not be loaded, which fails without failing a test. */
function failedTests({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) =>
    status === 'failed' && assertionResults.length === 0
      ? [`${relative(root, name)}\n${message}`]
      : assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) => `${relative(root, name)} › ${test.fullName}\n${test.failureMessages.join('\n')}`),
  );
}

function fail(sentence) {
  totals.failed++;
  // A long difference is in the lines above.
  failures.push(`✗ ${sentence}`.slice(0, 4_000));
  say(`✗ ${sentence}`);
}

/** @returns the exit code; null if it could not be started or was killed */
function ended(child) {
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
}

/** Adds the results of an earlier run with --report. A missing report counts as one failure. */
function takeOver(file) {
  try {
    const earlier = JSON.parse(readFileSync(file, 'utf8'));
    Object.assign(totals, earlier.totals);
    results.push(...earlier.results);
    failures.push(...earlier.failures);
  } catch {
    fail('The run before this one stopped before it could report.');
  }
}

/** Every requirement of docs/specification.md has tests that passed. Counts as one test. */
function checkConformance() {
  const broken = brokenProofs(
    readRows(readFileSync(join(root, 'docs', 'specification.md'), 'utf8')),
    results,
  );
  if (broken.length > 0) return fail(['The specification is not proven:', ...broken].join('\n  '));
  totals.passed++;
  say('\n✓ The specification is proven (docs/specification.md)');
}

/** Runs every test that opens the test database on a real PostgreSQL server too, if available. */
async function onPostgres(env) {
  const postgres = await startPostgres(scratch);
  if (!postgres.url) return say(`\nThe second run on a PostgreSQL server is skipped: ${postgres.reason}`);
  try {
    await suite(
      'integration tests on PostgreSQL',
      [
        ...['related', '--run', 'tests/support/test-database.ts', '--project', 'server*'],
        ...ALIKE_ON_EVERY_DATABASE.flatMap((file) => ['--exclude', file]),
      ],
      { ...env, SIGMA_TEST_WORKERS, SIGMA_TEST_DATABASE_URL: postgres.url },
    );
  } finally {
    await postgres.stop();
  }
}

/** Speech weights for tests on the real voice; without them these tests are skipped. */
async function fetchModels() {
  const models = process.env.SIGMA_TEST_MODELS ?? join(root, 'models');
  try {
    await run(node, ['dist/server/engines/weights/fetch-main.js'], {
      failure: 'The speech weights could not be fetched.',
      env: { ...process.env, MODELS_DIR: models },
    });
    return models;
  } catch (error) {
    say(`Tests on the real voice are skipped: ${error.message}`);
    return null;
  }
}
