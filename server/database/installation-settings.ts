import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { installationSettings } from './schema.ts';

/** The stored value of an owners' setting; undefined if not set. */
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
 * Set when the last account was deleted. Until the operator names an owner, a new account does not become the
 * first one, which would own what is left (the security log, stored keys).
 */
const OWNERLESS = 'ownerless';

export const isOwnerless = async (db: Pick<Db, 'select'>): Promise<boolean> =>
  (await readInstallationSetting(db, OWNERLESS)) === true;

export const settleOwnerless = (db: Pick<Db, 'insert'>, ownerless: boolean): Promise<void> =>
  settleInstallationSetting(db, OWNERLESS, ownerless);
