import { createServer } from 'node:net';

/** An unused port outside the range of outgoing connections. */
export async function freePort(): Promise<number> {
  for (let port = 20_000 + Math.floor(Math.random() * 10_000); ; port++) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
