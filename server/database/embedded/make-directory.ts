import { startWorkerThread } from '#server/threads/worker-thread';
import type { MakeDirectoryMethods } from './make-directory.worker.ts';

/*
 * A program of its own, run once: makes a PostgreSQL data directory in the empty folder that it is given. PostgreSQL takes
 * its thread for seconds on end, so this one only waits: it hears at once when whoever asked for it has gone.
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
