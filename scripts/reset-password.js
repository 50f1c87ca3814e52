// `npm run reset-password -- you@example.com`, on a machine with nothing but Node.js: see server/commands/reset-password.ts.
import { makeRunnable } from './lib/prepare.js';

await makeRunnable();
await import('../dist/server/commands/reset-password.js');
