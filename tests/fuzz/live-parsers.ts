import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { conversations } from '#server/database/schema';
import { aConversation } from '../factories.ts';
import { openTestApp } from '../support/test-app.ts';
import { aRecordingForm } from '../support/uploads.ts';
import type { FuzzedParser } from './run.ts';

/** What our libraries read before we do, fed through a whole server that listens: much slower than the parsers alone. */
export async function openLiveParsers(): Promise<{ parsers: FuzzedParser[]; close(): Promise<void> }> {
  const app = await openTestApp();
  const url = await app.listen();
  const { token, user } = await app.signUp();
  const conversation = aConversation(user._id);
  await app.database.db.insert(conversations).values(conversation);
  const form = await aRecordingForm();
  const port = Number(new URL(url).port);

  const request = (head: string, body = '') =>
    Buffer.from(
      `${head}\r\nHost: 127.0.0.1:${port}\r\n${body ? `Content-Length: ${body.length}\r\n` : ''}\r\n${body}`,
    );
  const event = (name: string, payload: object, id = '7') =>
    Buffer.from(`42${id}${JSON.stringify([name, payload])}`);

  const parsers: FuzzedParser[] = [
    {
      name: 'multipart',
      samples: [form.body],
      async parse(bytes) {
        const { statusCode, body } = await app.server.inject({
          method: 'POST',
          url: `/api/conversations/${conversation.id}/audio`,
          headers: { ...form.headers, authorization: `Bearer ${token}` },
          body: bytes,
        });
        if (statusCode >= 500) throw new Error(`A form is answered ${statusCode}: ${body}`);
      },
    },
    {
      name: 'http',
      samples: [
        request(`GET /api/agents?q=a&limit=5 HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nRange: bytes=0-5`),
        request('GET /assets/index.js HTTP/1.1\r\nAccept-Encoding: br, gzip\r\nIf-None-Match: "x"'),
        request('GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nOrigin: http://127.0.0.1'),
        request(
          'GET /rtc?access_token=x HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        ),
        request(
          'POST /api/auth/login HTTP/1.1\r\nContent-Type: application/json',
          '{"email":"a@b.c","password":"x"}',
        ),
        request(
          'POST /api/livekit/webhook HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json',
          '2\r\n{}\r\n0\r\n\r\n',
        ),
      ],
      maxBytes: 20_000,
      async parse(bytes) {
        const answer = await sendRaw(port, bytes);
        const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
        if (answer && !(Number(status) < 500)) throw new Error(`It is answered ${answer.slice(0, 300)}`);
      },
    },
    {
      name: 'socket',
      samples: [
        event('start_conversation', { userId: user._id, isCallSimulator: true }),
        event('user_message', { conversationId: conversation.id, message: 'Hello?', voice: false }),
        event('playback', { conversationId: conversation.id, responseId: null }),
        Buffer.from('451-["speech_audio",{"index":0,"audio":{"_placeholder":true,"num":0}}]'),
        Buffer.from('451-7["speech_audio",{"_placeholder":true,"num":0}]'),
        Buffer.from('43["x"]'),
        Buffer.from('40{"token":"x"}'),
        Buffer.from('41'),
      ],
      maxBytes: 20_000,
      parse: (bytes) => sendPacket(url, token, bytes),
    },
  ];
  return {
    parsers: parsers.map((parser) => ({
      ...parser,
      async parse(bytes) {
        await parser.parse(bytes);
        const failures = app.logs().filter(({ level }) => level === 'error' || level === 'fatal');
        if (failures.length > 0) throw new Error(`The server says ${JSON.stringify(failures[0])}`);
      },
    })),
    close: () => app.close(),
  };
}

/** Sends bytes and no more. @returns what comes back until the connection ends */
function sendRaw(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      answer += data;
      // A connection that was upgraded, or polls, would stay.
      if (/\r\n\r\n/.test(answer)) socket.destroy();
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(answer));
  });
}

/**
 * Signs in and sends a packet, as text or as bytes by its first one, and an event that is answered: then the server has taken
 * the one before. At what is no packet it ends the connection.
 */
function sendPacket(url: string, token: string, bytes: Buffer): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
  socket.on('message', (data) => {
    const text = data.toString();
    if (text.startsWith('0{')) socket.send(`40${JSON.stringify({ token })}`);
    else if (text.startsWith('40{')) {
      socket.send((bytes[0] ?? 0) % 7 === 0 ? bytes : bytes.toString());
      socket.send('428["interrupt"]');
    } else if (text.startsWith('438[')) socket.send('x');
  });
  socket.on('error', () => {});
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
