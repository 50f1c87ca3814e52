import process from 'node:process';
import { runProgram } from '#server/app/run-program';
import { startNativeThread } from '#server/threads/native-process';
import { startWorkerThread } from '#server/threads/worker-thread';
import type { EchoMethods } from './echo.worker.ts';

// A program of ours that reports which variables it, its thread and the process of the native engines see,
// and the setting it received.
runProgram(async ({ config, end }) => {
  const options = { hangMs: null };
  const thread = startWorkerThread<EchoMethods>(import.meta.url, './echo.worker', options);
  const native = startNativeThread<EchoMethods>(import.meta.url, './echo.worker', options);
  const said = {
    program: Object.keys(process.env),
    thread: (await thread.call('where', undefined)).environment,
    native: (await native.call('where', undefined)).environment,
    databaseUrl: config.databaseUrl,
  };
  await Promise.all([thread.finish(), native.finish()]);
  process.stdout.write(`${JSON.stringify(said)}\n`, () => end(0));
});
