import { expect } from 'vitest';
import { startNativeThread } from '#server/threads/native-process';
import type { EchoMethods } from './echo.worker.ts';

/** Has a thread beside those of the native engines do what ends their process; resolves once it is gone. */
export async function crashNatively(): Promise<void> {
  const thread = startNativeThread<EchoMethods>(import.meta.url, './echo.worker', { hangMs: null });
  await expect(thread.call('crashNatively', undefined)).rejects.toMatchObject({ name: 'WorkerStopped' });
}
