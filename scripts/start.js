// `npm start`: installs and builds whatever is out of date, then becomes the server. The server runs in this
// process, so signals need no forwarding. The running server fetches speech weights; text works meanwhile.
import module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { makeRunnable, root } from './lib/prepare.js';

if (process.env.npm_lifecycle_event === 'start') endWithParent();

await makeRunnable();
// Caches compiled code from start to start, where Node.js can (22 and newer).
module.enableCompileCache?.(join(root, 'dist', '.compiled'));
await import('../dist/server/app/main.js');

/**
 * npm starts this process through a shell and sends SIGTERM to that shell, which ends without forwarding it.
 * A process whose parent ended gets a new parent: detect that and shut down.
 */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGHUP');
  }, 250).unref();
}
