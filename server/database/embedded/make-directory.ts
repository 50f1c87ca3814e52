import { openBackend } from './backend.ts';

// A program of its own, run once: makes a PostgreSQL data directory in the empty folder that it is given.
const [directory = ''] = process.argv.slice(2);
const fail = (reason: string): never => {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
};
// Whoever asked for it has gone.
process.on('disconnect', () => process.exit(1));
try {
  const backend = await openBackend(directory, fail);
  await backend.close();
  process.exit(0);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
