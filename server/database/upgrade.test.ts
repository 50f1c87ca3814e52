import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '#server/app/app';
import { createDialogue } from '#server/dialogue/respond';
import { VERSION } from '#server/lib/version';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { earlierData, earlierDataDir, migrationCount } from '../../tests/support/earlier-data-dir.ts';
import { fakeEngines } from '../../tests/support/fake-engines.ts';
import { freshDataDir } from '../../tests/support/fresh-data-dir.ts';
import { startProgram } from '../../tests/support/programs.ts';
import { openDatabase } from './open.ts';

const made: string[] = [];
afterEach(async () => {
  for (const dataDir of made.splice(0)) await rm(dataDir, { recursive: true, force: true });
});
async function aDataDir(making: Promise<string>): Promise<string> {
  const dataDir = await making;
  made.push(dataDir);
  return dataDir;
}

/** The state that Ada finds in the current program. */
async function found(dataDir: string) {
  const database = await openDatabase({ dataDir, databaseUrl: null });
  const engines = fakeEngines();
  const dialogue = createDialogue({ reading: engines.reading });
  const { logger } = capturedLogger();
  const config = { publicUrl: null, corsOrigins: [], rateLimit: false };
  const app = await createApp({ config, database, engines, dialogue, logger });
  const { token, agent, conversation } = earlierData;
  const get = async (url: string) =>
    (await app.server.inject({ url, headers: { authorization: `Bearer ${token}` } })).json();
  try {
    const own = {
      me: await get('/api/auth/me'),
      agent: await get(`/api/agents/${agent}`),
      version: await get(`/api/agents/${agent}/versions/1`),
      conversation: await get(`/api/conversations/${conversation}`),
      searched: await get('/api/conversations?q=night'),
    };
    const { rows } = await database.pool.query(
      'select contact_id, bytes, recording_bytes::int from recordings join contacts on contacts.id = contact_id',
    );
    return { ...own, recordings: rows };
  } finally {
    await app.close(0);
    await dialogue.close();
    await database.close();
  }
}

const everything = (withRecording: boolean) => {
  const { user, agent, conversation, question, reply } = earlierData;
  return {
    // Alone, as before: an owner, in a workspace of her own.
    me: { _id: user, name: 'Ada', role: 'owner', isInstallationOwner: true, workspaceId: expect.any(String) },
    agent: { _id: agent, name: 'Mia', companyInfo: 'We are open at night.' },
    version: {
      by: { _id: user, name: 'Ada' },
      changed: [],
      content: { name: 'Mia', companyInfo: 'We are open at night.', prompts: [], documents: [], actions: [] },
    },
    conversation: {
      _id: conversation,
      title: 'Opening Hours',
      messages: [
        { _id: question, content: 'When are you open?' },
        { _id: reply, content: 'We are open at night.' },
      ],
    },
    searched: [{ _id: conversation }],
    recordings: withRecording ? [{ contact_id: user, bytes: 1234, recording_bytes: 1234 }] : [],
  };
};

/**
 * The first release; sums of usage; rooms (`8ea4c8d`); the last without workspaces; the one before the
 * current one. Each is upgraded through all later migrations.
 */
it.each([1, 5, 9, 26, -1])(
  'finds everything in a data directory of the first %i migrations',
  async (given) => {
    const count = given > 0 ? given : (await migrationCount()) + given;
    const dataDir = await aDataDir(earlierDataDir(count));
    expect(await found(dataDir)).toMatchObject(everything(count >= 3));
  },
);

/**
 * Before the first statement of the first pending migration, in the middle of the last, and before all of
 * them are committed.
 */
it.each([
  'CREATE TYPE "public"."speaker"',
  'ALTER TABLE "agents" ADD COLUMN "masks"',
  'ALTER TABLE "conversations"\n\tALTER COLUMN "workspace_id" DROP EXPRESSION',
  'CREATE TRIGGER workspace_of_new',
  'commit',
])('finds everything after a kill in the middle of an upgrade, at: %s', async (statement) => {
  const dataDir = await aDataDir(earlierDataDir(2));
  const killed = startProgram('tests/support/dies-migrating.ts', [dataDir, statement]);
  expect([await killed.ended, killed.output().stdout]).toEqual(['SIGKILL', '']);
  expect(await found(dataDir)).toMatchObject(everything(false));
});

describe('the version that has used a data directory last', () => {
  const versionFile = (dataDir: string) => join(dataDir, 'database', 'PG_VERSION');
  const open = async (dataDir: string) => {
    const database = await openDatabase({ dataDir, databaseUrl: null });
    await database.close();
  };

  it('is noted where versions of before look whether the directory is theirs, and PostgreSQL minds nothing', async () => {
    const dataDir = await aDataDir(freshDataDir());
    await writeFile(versionFile(dataDir), '18\n');
    for (const _ of ['from none', 'from its own']) {
      await open(dataDir);
      expect(await readFile(versionFile(dataDir), 'utf8')).toBe(`18\nSigma ${VERSION}\n`);
    }
  });

  it('is replaced by a newer one', async () => {
    const dataDir = await aDataDir(freshDataDir());
    await writeFile(versionFile(dataDir), '18\nSigma 0.0.9\n');
    await open(dataDir);
    expect(await readFile(versionFile(dataDir), 'utf8')).toBe(`18\nSigma ${VERSION}\n`);
  });

  it('keeps an older one out, in one sentence that names both', async () => {
    const dataDir = await aDataDir(freshDataDir());
    for (const noted of ['18\nSigma 99.0.0\n', '19\nSigma 99.0.0\n']) {
      await writeFile(versionFile(dataDir), noted);
      await expect(open(dataDir)).rejects.toMatchObject({
        name: 'StartError',
        message: `The data directory ${dataDir} was used by Sigma 99.0.0, and this is Sigma ${VERSION}: start that version or a newer one, or restore a backup of this one.`,
      });
      expect(await readFile(versionFile(dataDir), 'utf8')).toBe(noted);
    }
  });
});

it('refuses a data directory of a newer version in one sentence, and changes nothing', async () => {
  const dataDir = await aDataDir(freshDataDir());
  const tomorrow = await openDatabase({ dataDir, databaseUrl: null });
  await tomorrow.pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)",
  );
  await tomorrow.close();
  for (const _ of ['the first time', 'again'])
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toMatchObject({
      name: 'StartError',
      message:
        'The database was used by a newer version of Sigma: start that version or a newer one, or restore a backup of this one.',
    });
});
