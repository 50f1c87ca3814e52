// `npm run restore -- sigma.tar.gz`, on a machine with nothing but Node.js: see server/commands/restore.ts.
import { makeRunnable } from './lib/prepare.js';

await makeRunnable();
await import('../dist/server/commands/restore.js');
