import { startNativeThread } from '#server/threads/native-process';
import type { EchoMethods } from './echo.worker.ts';

// A program that has a native thread, says so once that answers, and leaves it at that.
const thread = startNativeThread<EchoMethods>(import.meta.url, './echo.worker', { hangMs: null });
await thread.call('echo', { text: 'here' });
process.stdout.write('answered\n');
