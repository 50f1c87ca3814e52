import { createLogger } from '#server/telemetry/logger';

/* Logs 200 MB, and reports by how many bytes the process has grown. */
const logger = createLogger({ level: 'info' });
const line = 'x'.repeat(10_000);
const grown = () => process.memoryUsage().heapUsed;
const before = grown();
for (let n = 0; n < 20_000; n++) logger.info({ line }, 'a line');
process.stdout.write(String(grown() - before));
