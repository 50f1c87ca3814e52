import { crc32 } from 'node:zlib';
import { TOKEN } from './bare-server.ts';
import {
  type MemoryClient,
  type MemoryConnection,
  piecesOf,
  until,
  withoutFailures,
} from './memory-connection.ts';
import type { FuzzedParser } from './run.ts';

/** Stands between the packets of a poll (engine.io, protocol 4), and here between those of a sample. */
const BETWEEN = '\x1e';
const [TEXT, BINARY, CLOSE, PING] = [1, 2, 8, 9];
const FINAL = 0x80;

const event = (name: string, payload: unknown) => `427${JSON.stringify([name, payload])}`;
const placeholder = (num: number) => `{"_placeholder":true,"num":${num}}`;
const SOUND = 'bAAABAAIA';

const packets = [
  [event('start_conversation', { userId: 'u', agentInfo: { name: 'Mia', prompts: ['x'] }, voice: true })],
  [event('user_message', { conversationId: 'c', message: 'Hello?', clientMessageId: 'm', voice: false })],
  [event('interrupt', { conversationId: 'c', responseId: 'r', heardMs: 20 })],
  [event('playback', { conversationId: 'c', responseId: null })],
  [event('speech_start', { conversationId: 'c', sampleRate: 16_000 }), event('speech_end', {})],
  [`451-7["speech_audio",{"index":0,"audio":${placeholder(0)}}]`, SOUND],
  [`452-["speech_audio",${placeholder(1)},[${placeholder(0)}]]`, SOUND, SOUND],
  ['43["x"]', `461-2[${placeholder(0)}]`, SOUND],
  ['40/other,{"token":"x"}', '40{"token":"x"}'],
  ['3', '2probe', '6', '41', '44{"message":"x"}', '5'],
].map((sample) => Buffer.from(sample.join(BETWEEN)));

const frames = [
  [frame(event('playback', { conversationId: 'c', responseId: null }), TEXT | FINAL)],
  [frame('?', PING | FINAL), frame('42["play', TEXT), frame('!', PING | FINAL), frame('back",{}]', FINAL)],
  [
    frame(`451-["speech_audio",${placeholder(0)}]`, TEXT | FINAL, 0x5a),
    frame(Buffer.alloc(200, 7), BINARY | FINAL),
  ],
  [frame(event('user_message', { message: 'x'.repeat(70_000) }), TEXT | FINAL)],
  [frame(Buffer.from([3, 232, 98, 121, 101]), CLOSE | FINAL), frame('2', TEXT | FINAL)],
].map((sample) => Buffer.concat(sample));

/**
 * All that stands between the network and an event of a feature: WebSocket frames or polls, the packets of engine.io and
 * socket.io, our own checks. A sample of packets is framed whatever it has become, so that what is in the frames is read; one
 * of frames, known by its first bit, is sent as it is.
 */
export function packetReader(client: MemoryClient): FuzzedParser {
  return {
    name: 'packet-reader',
    samples: [...packets, ...frames],
    async parse(bytes) {
      const connection = client.connect();
      if ((bytes[0] ?? 0) >= FINAL) await overWebSocket(client, connection, piecesOf(bytes));
      else if (crc32(bytes) % 8 === 0) await byPolls(client, connection, bytes);
      else await overWebSocket(client, connection, bytes.toString().split(BETWEEN).map(framed));
      await client.hangUp(connection);
      return withoutFailures(connection.said);
    },
  };
}

const PATH = '/socket.io/?EIO=4&transport=';
const SIGN_IN = `40${JSON.stringify({ token: TOKEN })}`;

/** Signs in over a WebSocket and sends pieces. */
async function overWebSocket(
  client: MemoryClient,
  connection: MemoryConnection,
  pieces: readonly Buffer[],
): Promise<void> {
  const says = (text: string) => until(() => connection.destroyed || connection.said.includes(text));
  const head = [
    `GET ${PATH}websocket HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ];
  connection.send(Buffer.from(`${head.join('\r\n')}\r\n\r\n`));
  await says('0{"sid"');
  connection.send(frame(SIGN_IN, TEXT | FINAL));
  await says('40{"sid"');
  for (const piece of pieces) connection.send(piece);
  await client.answered(connection);
}

/** Signs in by polls, sends a payload, and says that it leaves. */
async function byPolls(client: MemoryClient, connection: MemoryConnection, payload: Buffer): Promise<void> {
  const ask = (method: string, sid = '', body: Buffer = Buffer.alloc(0)) => {
    const head = [
      `${method} ${PATH}polling${sid && `&sid=${sid}`} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Content-Type: text/plain;charset=UTF-8',
      `Content-Length: ${body.length}`,
    ];
    connection.send(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
    return client.answered(connection);
  };
  await ask('GET');
  const [, sid] = /"sid":"([^"]+)"/.exec(connection.said) ?? [];
  await ask('POST', sid, Buffer.from(SIGN_IN));
  await ask('POST', sid, payload);
  await ask('POST', sid, Buffer.from('1'));
}

/** A packet as a browser frames it: text, or the bytes that stand as base64 in a poll. */
const framed = (packet: string) =>
  packet.startsWith('b')
    ? frame(Buffer.from(packet.slice(1), 'base64'), BINARY | FINAL)
    : frame(packet, TEXT | FINAL);

/** One WebSocket frame of a client (RFC 6455). @param mask each byte of its key: with 0 what is framed can be read */
function frame(content: string | Buffer, opcode: number, mask = 0): Buffer {
  const payload = Buffer.from(content).map((byte) => byte ^ mask);
  return Buffer.concat([Buffer.from([opcode]), sizeOf(payload), Buffer.alloc(4, mask), payload]);
}

/** The length of a payload, with the bit of a masked frame. */
function sizeOf({ length }: Uint8Array): Buffer {
  const size = Buffer.alloc(length < 126 ? 1 : length < 2 ** 16 ? 3 : 9);
  if (size.length === 1) return Buffer.from([FINAL | length]);
  size[0] = FINAL | (size.length === 3 ? 126 : 127);
  size.writeUIntBE(length, size.length === 3 ? 1 : 3, size.length === 3 ? 2 : 6);
  return size;
}
