import { lockDirectory } from '#server/database/directory-lock';

// A program of its own: locks the directory it is given until it is ended.
const [directory = ''] = process.argv.slice(2);
await lockDirectory(directory);
process.stdout.write('held\n');
setInterval(() => {}, 1_000);
