import { type AddressInfo, createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface MailServer {
  /** `smtp://127.0.0.1:port` */
  url: string;
  /** The next mail as sent, with soft line breaks joined. Each is returned once. */
  next(): Promise<{ to: string[]; from: string; letter: string }>;
  close(): Promise<void>;
}

/** A real mail server on this machine that stores its mails. @param refuses rejects all mails */
export async function openMailServer({ refuses = false } = {}): Promise<MailServer> {
  const letters: Awaited<ReturnType<MailServer['next']>>[] = [];
  const waiting: ((letter: Awaited<ReturnType<MailServer['next']>>) => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(refuses ? new Error(`550 there is no ${address} here`) : undefined),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const letter = {
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          letter: plain(Buffer.concat(chunks).toString()),
        };
        const asked = waiting.shift();
        if (asked) asked(letter);
        else letters.push(letter);
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: async () => letters.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** A server that accepts connections and never answers. */
export async function openSilentServer(): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

/** Decodes quoted-printable (RFC 2045, 6.7). */
const plain = (letter: string) =>
  letter
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
