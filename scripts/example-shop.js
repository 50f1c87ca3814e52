// `npm run example-shop`: Sigma with a shop beside it, whose orders an agent looks up and refunds. It has data of its own, so
// that nothing of an installation is touched.
import { join } from 'node:path';
import process from 'node:process';
import { makeRunnable, root } from './lib/prepare.js';

await makeRunnable();
process.env.DATA_DIR ??= join(root, 'data-example');
// The shop's own system, on this machine: server/commands/example-shop/start.ts.
process.env.ACTIONS_PRIVATE_HOSTS = [process.env.ACTIONS_PRIVATE_HOSTS, '127.0.0.1:4471']
  .filter(Boolean)
  .join(',');
await import('../dist/server/app/main.js');
await import('../dist/server/commands/example-shop/start.js');
