import { v7 as uuidv7 } from 'uuid';
import { openDatabase } from '#server/database/open';
import { users } from '#server/database/schema';
import { aUser } from '../factories.ts';

// A program of its own, meant to be killed: inserts rows as fast as it can on all connections and prints each
// id once it is acknowledged.
const [dataDir = ''] = process.argv.slice(2);
const { db } = await openDatabase({ dataDir, databaseUrl: null });
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (;;) {
      const id = uuidv7();
      await db.insert(users).values(aUser({ id, email: id }));
      process.stdout.write(`${id}\n`);
    }
  }),
);
