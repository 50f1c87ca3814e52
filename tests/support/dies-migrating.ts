import pg from 'pg';
import { openDatabase } from '#server/database/open';

// A program of its own: opens a data directory and ends abruptly, like a power failure, just before the first
// statement that begins with its argument.
const [dataDir = '', statement = ''] = process.argv.slice(2);
const send = pg.Client.prototype.query;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    const [asked] = args;
    const text = typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : asked;
    if (String(text).trim().startsWith(statement)) process.kill(process.pid, 'SIGKILL');
    return Reflect.apply(send, this, args);
  },
});
await openDatabase({ dataDir, databaseUrl: null });
process.stdout.write('opened\n');
process.exit(0);
