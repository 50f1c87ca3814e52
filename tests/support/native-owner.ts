import { startNativeThread } from '#server/threads/native-process';
import type { EchoMethods } from './echo.worker.ts';

// A program that starts a native thread, reports once it answers, and does nothing else.
const thread = startNativeThread<EchoMethods>(import.meta.url, './echo.worker', { hangMs: null });
await thread.call('echo', { text: 'here' });
process.stdout.write('answered\n');
