import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { type FromNativeProcess, packed, type ToNativeProcess, unpacked } from './native-messages.ts';
import { runThread, type ThreadLine } from './watched-thread.ts';

/*
 * The process that `native-process.ts` starts: it runs the threads of engines whose libraries are native code. This thread
 * of it only moves bytes, so that it hears when the server has gone.
 */

/** So often it shows that it lives, in milliseconds. */
const BEAT_MS = 1_000;
/** Its memory is looked at so often where it is limited, in milliseconds: it grows by some ten megabytes meanwhile. */
const LOOK_MS = 20;

const threads = new Map<number, ThreadLine>();

/** What cannot be told any more is nobody's business: `disconnect` follows. */
const tell = (message: FromNativeProcess) => process.send?.(packed(message), undefined, undefined, () => {});

function start({ thread, base, name, options }: Extract<ToNativeProcess, { kind: 'start' }>): void {
  const line = runThread(base, name, options, {
    onMessage: (message) => tell({ kind: 'said', thread, message }),
    onEnd({ failure, ...how }) {
      threads.delete(thread);
      // What a thread died of only looks like an error, and would arrive as an empty object.
      const error = failure && Object.assign(new Error(failure.message), { stack: failure.stack });
      tell({ kind: 'ended', thread, end: { failure: error, ...how } });
    },
  });
  threads.set(thread, line);
}

/** At once, whatever native code is at: leaving in order would wait for it, for ever if it hangs. */
const die = () => process.kill(process.pid, 'SIGKILL');

process.on('message', (bytes: Uint8Array) => {
  const message: ToNativeProcess = unpacked(bytes);
  switch (message.kind) {
    case 'start':
      return start(message);
    case 'ask':
      return threads.get(message.thread)?.post(message.message);
    case 'end':
      return threads.get(message.thread)?.end(message.how);
  }
});
process.on('disconnect', die);
if (!process.connected) die();
// A terminal and a service manager tell the server as well, which still needs its engines to finish what it is at.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function beat(): void {
  const { user, system } = process.cpuUsage();
  tell({ kind: 'beat', usage: { residentBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 } });
}
beat();
setInterval(beat, BEAT_MS);

/** Megabytes that the process may take; 0: whatever it needs. */
const residentMb = Number(process.argv[2] ?? 0);
if (residentMb > 0) {
  // This thread of it only moves bytes, so that it sees what the other one is at.
  setInterval(() => process.memoryUsage.rss() > residentMb * 1_000_000 && die(), LOOK_MS);
  chooseForOutOfMemory();
}

/** Where the machine runs out of memory, Linux ends this process before the server and all others. */
function chooseForOutOfMemory(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // It is limited without that.
  }
}
