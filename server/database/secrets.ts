import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { createSeal, type Seal } from '#server/lib/seal';
import type { Db } from './open.ts';
import { secrets } from './schema.ts';

/** The value on which all instances of this database agree: the first ever proposed under this name. */
export async function agreeOnSecret(db: Db, name: string, proposal: string): Promise<string> {
  const known = await knownSecret(db, name);
  if (known !== null) return known;
  await db.insert(secrets).values({ name, value: proposal }).onConflictDoNothing();
  const agreed = await knownSecret(db, name);
  if (agreed === null) throw new Error('The database kept a secret without answering it.');
  return agreed;
}

async function knownSecret(db: Db, name: string): Promise<string | null> {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row?.value ?? null;
}

const SEAL = 'seal';

/** The seal shared by all instances on this database. */
export const openSeal = async (db: Db): Promise<Seal> =>
  createSeal(await agreeOnSecret(db, SEAL, randomBytes(32).toString('base64url')));

/** The existing seal; null: there is none, so nothing is sealed. Never creates one. */
export async function knownSeal(db: Db): Promise<Seal | null> {
  const secret = await knownSecret(db, SEAL);
  return secret === null ? null : createSeal(secret);
}

/**
 * A name that distinguishes installations on a shared server: the same for every instance on this database.
 */
export const installationName = (db: Db): Promise<string> =>
  agreeOnSecret(db, 'installation', randomBytes(8).toString('hex'));
