// `npm start`: installs and builds what is stale, then becomes the server. The server runs in this very process, so that
// a signal to it needs no forwarding. Speech weights are fetched by the running server: text works meanwhile.
import module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { makeRunnable, root } from './lib/prepare.js';

if (process.env.npm_lifecycle_event === 'start') endWithParent();

await makeRunnable();
// What the program's files were compiled to is kept from start to start, where Node.js can (22 and newer).
module.enableCompileCache?.(join(root, 'dist', '.compiled'));
await import('../dist/server/app/main.js');

/**
 * npm starts us through a shell and hands SIGTERM to that shell, which ends of it and tells nobody. A process whose parent
 * ended gets another one, so look at that, and take it as what it is: who started us hung up.
 */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGHUP');
  }, 250).unref();
}
