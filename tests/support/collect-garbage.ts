import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Runs garbage collection, as happens on a busy server all the time. */
export async function collectGarbage(): Promise<void> {
  // Objects held by a promise are free a moment after it settled.
  for (let time = 0; time < 5; time++) {
    collect();
    await pause(5);
  }
}
