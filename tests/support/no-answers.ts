import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** Writes repeatedly, as fast as the peer reads, until the connection is gone. */
function writesForEver(socket: Socket, piece: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(piece.repeat(20))) if (socket.writableLength > 60_000) break;
  };
  socket.on('drain', write);
  const timer = setInterval(write, 20);
  socket.on('close', () => clearInterval(timer));
  write();
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Ways in which an HTTP server never finishes its answer. */
const ways = {
  'says nothing': () => {},
  'changes to another protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
  'says for ever that it goes on': (socket) => writesForEver(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
  'hints for ever at what will come': (socket) =>
    writesForEver(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  'stops within its head': (socket) => socket.write(HEAD),
  'stops before its body': (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\n`),
  'stops within its body': (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\n{`),
  'sends a body drop by drop': (socket) => {
    socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
    const timer = setInterval(() => socket.write('1\r\n \r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  },
  'stops within its trailers': (socket) =>
    socket.write(`${HEAD}transfer-encoding: chunked\r\ntrailer: a\r\n\r\n2\r\n{}\r\n0\r\na: b`),
} satisfies Record<string, (socket: Socket) => void>;

type NoAnswer = keyof typeof ways;
export const noAnswers = Object.keys(ways) as NoAnswer[];

/** Serves unfinished answers on this machine. @returns its host with its port, and the number of requests */
export async function serveNoAnswer(
  way: NoAnswer,
): Promise<{ host: string; connections(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    connections++;
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('data', () => ways[way](socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
