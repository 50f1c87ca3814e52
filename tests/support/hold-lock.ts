import { takeLockFile } from '#server/lib/lock-file';

// A program of its own: holds the given lock file until it is ended.
const [path = ''] = process.argv.slice(2);
await takeLockFile(path);
process.stdout.write('held\n');
setInterval(() => {}, 1_000);
