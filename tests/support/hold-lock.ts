import { takeLockFile } from '#server/lib/lock-file';

// A program of its own: takes the lock file it is told until it is ended.
const [path = ''] = process.argv.slice(2);
await takeLockFile(path);
process.stdout.write('held\n');
setInterval(() => {}, 1_000);
