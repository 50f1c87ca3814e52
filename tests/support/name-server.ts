import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const TYPE_A = 1;
const TYPE_AAAA = 28;

/**
 * A DNS server on this machine (RFC 1035, 4).
 * @param names IPv4 addresses by name; null: never answers. Other names do not exist
 */
export async function serveNames(names: Readonly<Record<string, readonly string[] | null>>): Promise<{
  servers: string[];
  /** Names that were queried, with repeats. */
  asked: string[];
  close(): Promise<void>;
}> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    if (type === TYPE_A) asked.push(name);
    const known = names[name];
    if (known === null) return;
    const addresses = type === TYPE_A ? (known ?? []) : [];
    const isKnown = known !== undefined && [TYPE_A, TYPE_AAAA].includes(type);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (isKnown ? 0 : 3), 2);
    head.writeUInt16BE(addresses.length, 6);
    // The query's other sections are not repeated.
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    const records = addresses.map((each) =>
      Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    servers: [`127.0.0.1:${(socket.address() as AddressInfo).port}`],
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
