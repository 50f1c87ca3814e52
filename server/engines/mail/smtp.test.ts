import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createSmtp } from './smtp.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function mailServer(behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    behave(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((closed) => server.close(closed));
  });
  return createSmtp({
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    from: 'care@example.com',
    patienceMs: 200,
  });
}

/** Repeats a piece of a line, so that the line never ends and the connection is never silent. */
const goesOn = (socket: Socket, begin: string) => {
  socket.write(begin);
  const timer = setInterval(() => socket.write('.'), 20);
  socket.on('close', () => clearInterval(timer));
};
const letter = { to: 'ada@example.com', subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' };

it.each<[string, (socket: Socket) => void]>([
  ['says nothing', () => {}],
  ['never ends its greeting', (socket) => goesOn(socket, '220 ')],
  [
    'never ends what it answers',
    (socket) => {
      socket.write('220 here\r\n');
      socket.once('data', () => goesOn(socket, '250-'));
    },
  ],
  [
    'says ever more lines',
    (socket) => {
      socket.write('220 here\r\n');
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('250-MORE\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      });
    },
  ],
])('a mail server that %s is away', async (_, behave) => {
  const mail = await mailServer(behave);
  await expect(mail.check()).rejects.toMatchObject({ name: 'MailError' });
  await expect(mail.send(letter)).rejects.toMatchObject({ name: 'MailError' });
});
