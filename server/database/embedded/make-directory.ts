import { startWorkerThread } from '#server/threads/worker-thread';
import type { MakeDirectoryMethods } from './make-directory.worker.ts';

/*
 * A separate program, run once: creates a PostgreSQL data directory in the given empty folder. PostgreSQL
 * occupies its thread for seconds, so this thread only waits, and notices at once when its parent has gone.
 */
const [directory = ''] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', die);
if (!process.connected) die();
try {
  const maker = startWorkerThread<MakeDirectoryMethods>(import.meta.url, './make-directory.worker', {
    hangMs: null,
  });
  await maker.call('make', { directory });
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
