import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { NativeUsage } from '#server/threads/native-messages';
import { nativeUsage } from '#server/threads/native-process';

/** By then the process of the native engines has reported again. */
const TOLD_AGAIN_MS = 1_500;

/** Use of this process and that of the native engines: bytes of memory, and milliseconds of processor time so far. */
export async function usage(): Promise<NativeUsage> {
  const { user, system } = process.cpuUsage();
  await pause(TOLD_AGAIN_MS);
  const native = nativeUsage();
  return {
    residentBytes: process.memoryUsage.rss() + native.residentBytes,
    cpuMs: (user + system) / 1_000 + native.cpuMs,
  };
}
