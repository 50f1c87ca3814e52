// `npm run backup -- sigma.tar.gz`, on a machine with nothing but Node.js: see server/commands/backup.ts.
import { makeRunnable } from './lib/prepare.js';

await makeRunnable();
await import('../dist/server/commands/backup.js');
