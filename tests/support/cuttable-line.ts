import { connect, createServer, type Socket } from 'node:net';

/** A TCP connection to a server that can be cut, like a lost network. */
export interface CuttableLine {
  /** The server's address by way of the line. */
  url: string;
  /** Cuts current connections; later ones work again. */
  cut(): void;
  close(): Promise<void>;
}

/** @param url the target, as ws://127.0.0.1:7880 */
export async function cuttableLine(url: string): Promise<CuttableLine> {
  const to = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
