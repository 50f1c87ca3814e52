import { openBareServer } from './bare-server.ts';
import { formReader, formRoutes } from './form-reader.ts';
import { httpReader } from './http-reader.ts';
import { MemoryClient } from './memory-connection.ts';
import { packetReader } from './packet-reader.ts';
import type { FuzzedParser } from './run.ts';

/**
 * What our libraries read before we do, as our server sets them up, in one process without TCP and without a database: as many
 * inputs as the parsers alone get.
 */
export async function openInProcessParsers(): Promise<{ parsers: FuzzedParser[]; close(): Promise<void> }> {
  const { app, refuseFailures, close } = await openBareServer(formRoutes);
  const client = new MemoryClient(app.server);
  return {
    parsers: [formReader(client), httpReader(client), packetReader(client)].map((parser) => ({
      ...parser,
      async parse(bytes) {
        const said = await parser.parse(bytes);
        refuseFailures();
        return said;
      },
    })),
    close,
  };
}
