import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { installationSettings } from './schema.ts';

/** What owners have settled under this name, as it was stored; undefined where nothing was. */
export async function readInstallationSetting(db: Db, name: string): Promise<unknown> {
  const [row] = await db
    .select({ value: installationSettings.value })
    .from(installationSettings)
    .where(eq(installationSettings.name, name));
  return row?.value;
}

export async function settleInstallationSetting(db: Db, name: string, value: unknown): Promise<void> {
  await db
    .insert(installationSettings)
    .values({ name, value })
    .onConflictDoUpdate({ target: installationSettings.name, set: { value } });
}
