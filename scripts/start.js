// `npm start`: installs and builds what is stale, then becomes the server. The server runs in this very process, so that
// a signal to it needs no forwarding. Speech weights are fetched by the running server: text works meanwhile.
import process from 'node:process';
import { buildIfStale, checkNodeVersion, installIfStale, PrepareError, root, say } from './lib/prepare.js';

try {
  process.chdir(root);
  checkNodeVersion();
  await installIfStale('production');
  await buildIfStale();
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  say(error.message);
  process.exit(1);
}
await import('../dist/server/main.js');
