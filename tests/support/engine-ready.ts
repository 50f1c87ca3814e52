import { setTimeout as pause } from 'node:timers/promises';
import type { EngineStatus } from '#shared/status';

/** Waits until an engine has loaded what it needs. @throws Error with its sentence when it failed */
export async function engineReady(engine: { status(): EngineStatus }): Promise<void> {
  for (;;) {
    const { state, message } = engine.status();
    if (state === 'ready') return;
    if (state === 'failed') throw new Error(message);
    await pause(10);
  }
}

/** For a dialogue whose replies must not depend on how busy the machine is. */
export const PATIENT = { readingWaitMs: null } as const;
