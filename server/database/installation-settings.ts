import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { installationSettings } from './schema.ts';

/** What owners have settled under this name, as it was stored; undefined where nothing was. */
export async function readInstallationSetting(db: Pick<Db, 'select'>, name: string): Promise<unknown> {
  const [row] = await db
    .select({ value: installationSettings.value })
    .from(installationSettings)
    .where(eq(installationSettings.name, name));
  return row?.value;
}

export async function settleInstallationSetting(
  db: Pick<Db, 'insert'>,
  name: string,
  value: unknown,
): Promise<void> {
  await db
    .insert(installationSettings)
    .values({ name, value })
    .onConflictDoUpdate({ target: installationSettings.name, set: { value } });
}

/**
 * The last account was deleted: nobody makes the first one of all again, who would own what is left (the security log, stored
 * keys), until whoever runs the server says who it is.
 */
const OWNERLESS = 'ownerless';

export const isOwnerless = async (db: Pick<Db, 'select'>): Promise<boolean> =>
  (await readInstallationSetting(db, OWNERLESS)) === true;

export const settleOwnerless = (db: Pick<Db, 'insert'>, ownerless: boolean): Promise<void> =>
  settleInstallationSetting(db, OWNERLESS, ownerless);
