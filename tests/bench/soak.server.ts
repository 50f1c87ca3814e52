// The product that benchSoak watches: server/app/main.ts itself, which over IPC also tells how it fares.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import '#server/app/main';
import { nativeUsage } from '#server/threads/native-process';
import type { SoakSample } from './soak.ts';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on('message', () => {
  const { rss, heapUsed, external } = process.memoryUsage();
  const native = nativeUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({
    rss: rss + native.residentBytes,
    heapUsed,
    external,
    cpuMs: (user + system) / 1000 + native.cpuMs,
    delayP99Ms: delay.percentile(99) / 1e6,
    delayMaxMs: delay.max / 1e6,
  } satisfies SoakSample);
  delay.reset();
});
// The parent process has gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
