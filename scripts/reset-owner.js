// `npm run reset-owner -- you@example.com`, on a machine with nothing but Node.js: see server/commands/reset-owner.ts.
import { makeRunnable } from './lib/prepare.js';

await makeRunnable();
await import('../dist/server/commands/reset-owner.js');
