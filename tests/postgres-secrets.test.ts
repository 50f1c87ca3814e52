import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#server/database/open';
import { readConfig } from '#server/settings/config';
import { watchSecrets } from '#server/settings/watch-secrets';
import { makeScratch, startOwnPostgres } from '../scripts/lib/test-machine.js';
import { capturedLogger } from './support/captured-logger.ts';
import { Authority, hasOpenssl } from './support/certificates.ts';

const scratch = makeScratch();
const certificates = join(scratch, 'certificates');
mkdirSync(certificates);
const authority = hasOpenssl ? new Authority(certificates) : null;

/** Who may come in, and by what. */
const RULES = `
host all sigma 127.0.0.1/32 trust
host all changing 127.0.0.1/32 scram-sha-256
hostssl all certified all cert
`;
const server = await startOwnPostgres(scratch, (data, owner) => {
  writeFileSync(join(data, 'pg_hba.conf'), RULES);
  if (!authority) return '';
  const { certificate, key } = authority.issue('server', 'localhost');
  for (const [from, to] of [
    [authority.certificate, 'authority.crt'],
    [certificate, 'server.crt'],
    [key, 'server.key'],
  ] as const) {
    copyFileSync(from, join(data, to));
    chmodSync(join(data, to), 0o600);
    if (owner) spawnSync('chown', [owner, join(data, to)]);
  }
  return '-c ssl=on -c ssl_ca_file=authority.crt';
});
const administrator = new pg.Pool({ connectionString: server.url ?? undefined });
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
afterAll(async () => {
  await administrator.end();
  if (server.url !== null) await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** The address of a new database of a role's own. */
async function addressFor(role: string, password = ''): Promise<URL> {
  await administrator.query(`drop database if exists of_${role}`);
  await administrator.query(`drop role if exists ${role}`);
  await administrator.query(`create role ${role} login password '${password}'`);
  await administrator.query(`create database of_${role} owner ${role}`);
  const url = new URL(server.url ?? '');
  url.username = role;
  url.password = password;
  url.pathname = `/of_${role}`;
  return url;
}

async function open(options: Parameters<typeof openDatabase>[0]): Promise<Database> {
  const database = await openDatabase(options);
  opened.push(() => database.close());
  return database;
}

describe.skipIf(server.url === null)(
  'a password of PostgreSQL that changes (skipped where there is none)',
  () => {
    it('breaks no query: not those under way, and not those that need another connection', async () => {
      const url = await addressFor('changing', 'first');
      const file = join(scratch, 'database-url');
      const hand = (password: string) => {
        url.password = password;
        writeFileSync(`${file}.next`, url.href);
        renameSync(`${file}.next`, file);
      };
      hand('first');
      const env = { DATABASE_URL_FILE: file };
      const { databaseUrl } = readConfig(env);
      const { logger, lines } = capturedLogger();
      const database = await open({
        dataDir: '/nowhere',
        databaseUrl,
        onRefused: () => watch.look(),
      });
      const watch = watchSecrets({
        env,
        logger,
        takers: { DATABASE_URL: (now) => database.takeUrl?.(now.databaseUrl ?? '') ?? false },
      });
      opened.push(() => watch.stop());

      await database.pool.query('select 1');
      expect(database.pool.totalCount).toBe(1);
      const before = database.pool.query('select pg_sleep(2)');
      await administrator.query("alter role changing password 'second'");
      // More than the one connection that stands can take, while the vault has not written the file yet.
      const meanwhile = Array.from({ length: 6 }, () => database.pool.query('select pg_sleep(0.1)'));
      await delay(700);
      hand('second');
      await Promise.all([before, ...meanwhile]);
      expect(await database.alone('work', async () => {})).toBe(true);
      expect(database.pool.totalCount).toBeGreaterThan(1);
      expect(lines().map(({ msg }) => msg)).toEqual(['a changed secret is in use']);
    });

    it('is refused where the address leads to another place, or is of another user', async () => {
      const url = await addressFor('changing', 'first');
      const database = await open({ dataDir: '/nowhere', databaseUrl: url.href });
      for (const [part, value] of [
        ['username', 'sigma'],
        ['pathname', '/postgres'],
        ['hostname', '127.0.0.2'],
      ] as const) {
        const other = new URL(url);
        other[part] = value;
        expect(database.takeUrl?.(other.href)).toBe(false);
      }
      await database.pool.query('select 1');
    });

    it('that stays wrong fails in the end', async () => {
      const url = await addressFor('changing', 'first');
      let asked = 0;
      const database = await open({
        dataDir: '/nowhere',
        databaseUrl: url.href,
        onRefused: async () => void asked++,
      });
      const held = await database.pool.connect();
      await administrator.query("alter role changing password 'second'");
      await expect(database.pool.query('select 1')).rejects.toMatchObject({ code: '28P01' });
      held.release();
      expect(asked).toBeGreaterThan(1);
    });
  },
);

describe.skipIf(server.url === null || authority === null)(
  'a certificate in the place of a password (skipped where there is no PostgreSQL or no openssl)',
  () => {
    async function certified(root: string) {
      const files = authority?.issue('client', 'certified') ?? { certificate: '', key: '' };
      const url = await addressFor('certified');
      url.hostname = 'localhost';
      url.search = String(
        new URLSearchParams({
          sslmode: 'verify-full',
          sslcert: files.certificate,
          sslkey: files.key,
          sslrootcert: root,
        }),
      );
      return readConfig({ DATABASE_URL: url.href }).databaseUrl;
    }

    it('opens the database, and is read with each connection, so that it may be short-lived', async () => {
      const databaseUrl = await certified(authority?.certificate ?? '');
      const database = await open({ dataDir: '/nowhere', databaseUrl });
      const serialOf = async (client: pg.PoolClient) => {
        const ask = 'select ssl, client_serial::int as serial from pg_stat_ssl where pid = pg_backend_pid()';
        return (await client.query(ask)).rows[0];
      };
      const first = await database.pool.connect();
      const before = await serialOf(first);
      expect(before).toMatchObject({ ssl: true });
      authority?.issue('client', 'certified');
      const second = await database.pool.connect();
      expect(await serialOf(second)).toEqual({ ssl: true, serial: before.serial + 1 });
      for (const client of [first, second]) client.release();
    });

    it('is shown to no server of another authority, and where it is missing that is said', async () => {
      const other = new Authority(certificates, 'another');
      const refusal = async (databaseUrl: string | null) =>
        openDatabase({ dataDir: '/nowhere', databaseUrl }).then(
          () => 'It was taken.',
          (error: Error) => error.message,
        );
      expect(await refusal(await certified(other.certificate))).toMatch(
        /^The database postgresql:\/\/certified@localhost:\d+\/of_certified \(DATABASE_URL\) cannot be used: nobody who is trusted here made its certificate\.$/,
      );
      expect(await refusal(await certified(join(certificates, 'none')))).toContain(
        'a certificate or key that it names is not there',
      );
    });
  },
);
