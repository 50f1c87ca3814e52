// The room server that benchRooms measures, in a process of its own; it tells over IPC what it took from the processor.
import process from 'node:process';
import { RoomServer } from '#server/engines/rooms/embedded/room-server';

const server = await RoomServer.start({
  keys: { apiKey: 'bench', apiSecret: 'a-secret-of-thirty-two-letters-at-least' },
  port: null,
  ports: null,
  externalAddress: null,
  onEvent: () => {},
  onFailure: (error) => console.error(error),
});
process.send?.({ port: server.port });
process.on('message', (message) => {
  if (message === 'usage') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() });
  }
});
process.on('disconnect', () => process.exit(0));
