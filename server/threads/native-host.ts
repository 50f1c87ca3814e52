import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { type FromNativeProcess, packed, type ToNativeProcess, unpacked } from './native-messages.ts';
import { runThread, type ThreadLine } from './watched-thread.ts';

/*
 * The process that `native-process.ts` starts: it runs the threads of engines with native libraries. Its main
 * thread only moves bytes, so that it notices when the server has gone.
 */

/** Interval of signs of life, in milliseconds. */
const BEAT_MS = 1_000;
/**
 * Interval of memory checks in a limited process, in milliseconds: memory grows by some ten megabytes
 * meanwhile.
 */
const LOOK_MS = 20;

const threads = new Map<number, ThreadLine>();

/** A message that can no longer be sent does not matter: `disconnect` follows. */
const tell = (message: FromNativeProcess) => process.send?.(packed(message), undefined, undefined, () => {});

function start({ thread, base, name, options }: Extract<ToNativeProcess, { kind: 'start' }>): void {
  const line = runThread(base, name, options, {
    onMessage: (message) => tell({ kind: 'said', thread, message }),
    onEnd({ failure, ...how }) {
      threads.delete(thread);
      // An error from a thread only looks like one, and would arrive as an empty object.
      const error = failure && Object.assign(new Error(failure.message), { stack: failure.stack });
      tell({ kind: 'ended', thread, end: { failure: error, ...how } });
    },
  });
  threads.set(thread, line);
}

/** Ends at once: an orderly end would wait for native code, for ever if it hangs. */
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
// Ignored: a terminal and a service manager also signal the server, which still needs its engines to finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

function beat(): void {
  const { user, system } = process.cpuUsage();
  tell({ kind: 'beat', usage: { residentBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 } });
}
beat();
setInterval(beat, BEAT_MS);

/** Memory limit of the process in megabytes; 0: unlimited. */
const residentMb = Number(process.argv[2] ?? 0);
if (residentMb > 0) {
  // The main thread only moves bytes, so it can watch the worker's memory.
  setInterval(() => process.memoryUsage.rss() > residentMb * 1_000_000 && die(), LOOK_MS);
  chooseForOutOfMemory();
}

/** If the machine runs out of memory, Linux should end this process before the server and others. */
function chooseForOutOfMemory(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Memory is limited without that.
  }
}
