// `npm run stats:rebuild`: recomputes the sums behind the statistics for all accounts. Triggers maintain
// them; this is for conversations written without triggers, e.g. by a restore. Takes about a second per
// 100,000 conversations. For the embedded database, stop the server first.
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
