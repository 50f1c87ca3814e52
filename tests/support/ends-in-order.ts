import { endInOrder } from '#server/app/lifecycle';
import { createLogger } from '#server/telemetry/logger';

// A program of its own: opens nothing, reports when it closes, and fails in the given way.
const [trouble = 'none'] = process.argv.slice(2);
endInOrder(
  async () => {
    process.stdout.write('closing\n');
    if (trouble === 'hangs') await new Promise(() => {});
    if (trouble === 'fails') throw new Error('it cannot be closed');
    if (trouble === 'is slow') await new Promise((resolve) => process.once('SIGHUP', resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.stdout.write('closed\n');
  },
  createLogger({ level: 'info' }),
);
setInterval(() => {}, 1_000);
process.stdout.write('open\n');
if (trouble === 'throws')
  setTimeout(() => {
    throw new Error('nobody expected this');
  }, 10);
if (trouble === 'rejects') void Promise.reject(new Error('nobody handles this'));
