import { parentPort } from 'node:worker_threads';
import '#server/engines/rooms/embedded/rooms.worker';

/** The room server's thread, which a call of `hang` blocks, like an endless loop. */
parentPort?.on('message', (message: unknown) => {
  if (typeof message !== 'object' || message === null || !('method' in message)) return;
  while (message.method === 'hang');
});
