import { setTimeout as pause } from 'node:timers/promises';
import type { EngineStatus } from '#shared/status';

/** Waits until an engine is loaded. @throws Error with its sentence if it failed */
export async function engineReady(engine: { status(): EngineStatus }): Promise<void> {
  for (;;) {
    const { state, message } = engine.status();
    if (state === 'ready') return;
    if (state === 'failed') throw new Error(message);
    await pause(10);
  }
}

/** For a dialogue whose replies must not depend on the machine's load. */
export const PATIENT = { readingWaitMs: null } as const;
