// `npm test`: everything the project proves about itself, on any machine. Installs what it needs, says what it had to skip
// and why, and ends with one line: `N passed, N failed, N skipped`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
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
import { buildLiveKit, fetchNodeVersions, findChromium, startPostgres } from './lib/test-machine.js';

const totals = { passed: 0, failed: 0, skipped: 0 };
/** Every test of every suite that ran. */
const results = [];
const scratch = mkdtempSync(join(tmpdir(), 'sigma-test-'));
const node = process.execPath;

try {
  process.chdir(root);
  checkNodeVersion();
  await installIfStale('development');
  check('Biome: format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
  check('TypeScript: server, tests and scripts', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']);
  check('TypeScript: end-to-end tests', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.e2e.json']);
  check('TypeScript: web', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.web.json']);
  await buildIfStale();
  const models = await fetchModels();
  const chromium = findChromium();
  if (!chromium.path) say(`Browser tests are skipped: ${chromium.reason}`);
  const nodes = fetchNodeVersions(join(root, '.cache'));
  if (nodes.reason) say(`Some Node.js versions are not tried: ${nodes.reason}`);
  const liveKit = buildLiveKit(join(root, '.cache'));
  if (!liveKit.path) say(`The room tests run without a LiveKit server beside ours: ${liveKit.reason}`);
  const env = {
    ...process.env,
    ...(liveKit.path ? { SIGMA_TEST_LIVEKIT: liveKit.path } : {}),
    SIGMA_TEST_NODES: JSON.stringify(nodes.binaries),
    ...(models ? { SIGMA_TEST_MODELS: models } : {}),
    ...(chromium.path ? { SIGMA_TEST_CHROMIUM: chromium.path } : {}),
  };
  await suite('unit and integration tests', ['--project', 'server', '--project', 'web'], env);
  await onPostgres(env);
  await suite('hearing tests', ['--project', 'hearing'], env);
  await suite('end-to-end tests', ['--project', 'e2e'], env);
  checkConformance();
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  say(error.message);
  totals.failed++;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = totals.failed > 0 ? 1 : 0;
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);

/** A static check counts as one test. */
function check(name, args) {
  const { status } = spawnSync(node, args, { stdio: ['ignore', 2, 2] });
  totals[status === 0 ? 'passed' : 'failed']++;
  say(`${status === 0 ? '✓' : '✗'} ${name}`);
}

/** Runs vitest over some projects and adds its counts. A run that dies before it reports counts as one failure. */
async function suite(name, args, env) {
  const report = join(scratch, `${name.replaceAll(/\W+/g, '-')}.json`);
  say(`\n── ${name}`);
  await new Promise((resolve) => {
    const child = spawn(
      node,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        ...args,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      { stdio: ['ignore', 2, 2], env },
    );
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  if (!existsSync(report)) {
    totals.failed++;
    say(`✗ ${name}: the runner stopped before it could report.`);
    return;
  }
  const result = JSON.parse(readFileSync(report, 'utf8'));
  results.push(...readReport(result, root));
  totals.passed += result.numPassedTests;
  // A file that cannot be loaded fails without failing any of its tests.
  const brokenFiles = result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  totals.failed += result.numFailedTests + brokenFiles.length;
  totals.skipped += result.numPendingTests + result.numTodoTests;
  if (!result.success && result.numFailedTests + brokenFiles.length === 0) {
    totals.failed++;
    say(`✗ ${name}: an error outside the tests; the lines above say which.`);
  }
}

/** Every requirement of docs/specification.md has tests that passed. Counts as one test. */
function checkConformance() {
  const broken = brokenProofs(
    readRows(readFileSync(join(root, 'docs', 'specification.md'), 'utf8')),
    results,
  );
  totals[broken.length === 0 ? 'passed' : 'failed']++;
  say(`\n${broken.length === 0 ? '✓' : '✗'} The specification is proven (docs/specification.md)`);
  for (const sentence of broken) say(`  ${sentence}`);
}

/** The suites that touch the database once more on a real PostgreSQL server, where one can be had. */
async function onPostgres(env) {
  const postgres = await startPostgres(scratch);
  if (!postgres.url) return say(`\nThe second run on a PostgreSQL server is skipped: ${postgres.reason}`);
  try {
    await suite(
      'integration tests on PostgreSQL',
      ['--project', 'server', 'server/features', 'server/realtime', 'server/http', 'server/database'],
      {
        ...env,
        SIGMA_TEST_DATABASE_URL: postgres.url,
      },
    );
  } finally {
    await postgres.stop();
  }
}

/** Speech weights for the tests on the real voice; without them those tests are skipped. */
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
