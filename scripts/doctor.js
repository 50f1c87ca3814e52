// `npm run doctor`, on a machine with nothing but Node.js: see server/commands/doctor.ts.
import { makeRunnable } from './lib/prepare.js';

await makeRunnable();
await import('../dist/server/commands/doctor.js');
