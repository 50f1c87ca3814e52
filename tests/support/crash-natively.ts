import { expect } from 'vitest';
import { startNativeThread } from '#server/threads/native-process';
import type { EchoMethods } from './echo.worker.ts';

/** Crashes the process of the native engines from a thread beside theirs; resolves once it has ended. */
export async function crashNatively(): Promise<void> {
  const thread = startNativeThread<EchoMethods>(import.meta.url, './echo.worker', { hangMs: null });
  await expect(thread.call('crashNatively', undefined)).rejects.toMatchObject({ name: 'WorkerStopped' });
}
