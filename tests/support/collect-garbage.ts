import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Frees what nobody holds any more, as a busy server does by itself all the time. */
export async function collectGarbage(): Promise<void> {
  // What a promise held is free a moment after it settled.
  for (let time = 0; time < 5; time++) {
    collect();
    await pause(5);
  }
}
