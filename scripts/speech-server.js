// `npm run speech-server`: Sigma's recognition and voice for other processes, behind OpenAI's audio API
// (docs/deployment.md).
import { makeRunnable } from './lib/prepare.js';

await makeRunnable();
await import('../dist/server/app/speech-main.js');
