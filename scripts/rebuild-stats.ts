// `npm run stats:rebuild`: counts the sums behind the statistics again, for everybody. Triggers keep them, so this is for
// after conversations were written past those, by a restore with triggers off say. Takes about a second per 100,000
// conversations. The embedded database is counted while the server is stopped.
import process from 'node:process';
import { openDatabase } from '#server/database/open';
import { InsightsRepository } from '#server/features/insights/repository';
import { StartError } from '#server/lib/start-error';
import { readConfig } from '#server/settings/config';

try {
  const { dataDir, databaseUrl } = readConfig();
  const database = await openDatabase({ dataDir, databaseUrl });
  try {
    await new InsightsRepository(database.db).rebuild();
  } finally {
    await database.close();
  }
  console.log('The statistics were counted again.');
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
