import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { eicar, hasClamd, RealClamd } from '../../../tests/support/clamd.ts';
import { runsRest } from '../../../tests/support/test-part.ts';
import { createClamd } from './clamd.ts';
import type { ClamdAddress } from './clamd-talk.ts';
import type { Antivirus, ScanVerdict } from './contract.ts';

const PATIENT = { connectMs: 60_000, answerMs: 60_000, allMs: 60_000 };
const file = Buffer.from('a file in pieces of different lengths');
const away = {
  name: 'EngineError',
  retryable: true,
  message: 'The antivirus scanner is away, or does not answer as it should.',
};

let server: Server | null = null;
let scanner: Antivirus | null = null;
let sockets: Socket[] = [];
let told: string[] = [];
afterEach(async () => {
  await scanner?.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => (server ? server.close(done) : done(null)));
  server = null;
  sockets = [];
  told = [];
});

/** A scanner that behaves as the test says. @param behave called with each connection */
async function standIn(behave: (socket: Socket) => void, at: string | number = 0): Promise<ClamdAddress> {
  server = createServer((socket) => {
    sockets.push(socket);
    // Errors on the scanner's side are caused by the test itself.
    socket.on('error', () => {});
    behave(socket);
  });
  if (typeof at === 'string') server.listen(at);
  else server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  if (typeof at === 'string') return { path: at };
  const { port } = server.address() as AddressInfo;
  return { host: '127.0.0.1', port };
}

/** Reads what is sent as clamd does: the command, then chunks behind their lengths, until one of no bytes. */
function readStream(socket: Socket, onEnd: (command: string, content: Buffer) => void): void {
  let came = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    came = Buffer.concat([came, bytes]);
    const start = came.indexOf(0) + 1;
    const content: Buffer[] = [];
    for (let at = start; start > 0 && at + 4 <= came.length; ) {
      const length = came.readUInt32BE(at);
      if (length === 0) return onEnd(came.toString('latin1', 0, start), Buffer.concat(content));
      content.push(came.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
  });
}
const answers =
  (...pieces: string[]) =>
  (socket: Socket) =>
    readStream(socket, async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await pause(5);
      }
      socket.end();
    });

function open(address: ClamdAddress, patience = PATIENT): Antivirus {
  const say = (_: unknown, sentence?: string) => told.push(sentence ?? String(_));
  scanner = createClamd({ address, patience, logger: { warn: say, info: say } });
  return scanner;
}

async function* inPieces(bytes: Uint8Array, length = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** The bytes that passed through, and the verdict. */
async function scan(
  { scan }: Antivirus,
  bytes: AsyncIterable<Uint8Array> = inPieces(file),
  signal?: AbortSignal,
): Promise<{ passed: Buffer; verdict: ScanVerdict }> {
  const passing = scan(bytes, signal);
  const passed: Uint8Array[] = [];
  for (;;) {
    const step = await passing.next();
    if (step.done) return { passed: Buffer.concat(passed), verdict: step.value };
    passed.push(step.value);
  }
}

/** Resolves when the scanner's side of the last connection has closed. */
function letGo() {
  for (const socket of sockets) socket.resume();
  return expect.poll(() => sockets.at(-1)?.destroyed).toBe(true);
}

describe('a file that is scanned', () => {
  it('passes through as it came, is told whole, and a piece without bytes does not end it', async () => {
    let heard: unknown;
    const address = await standIn((socket) =>
      readStream(socket, (command, content) => {
        heard = { command, content: content.toString() };
        socket.end('stream: OK\0');
      }),
    );
    async function* withGaps() {
      for await (const piece of inPieces(file)) {
        yield new Uint8Array();
        yield piece;
      }
    }
    expect(await scan(open(address), withGaps())).toEqual({ passed: file, verdict: { is: 'clean' } });
    expect(heard).toEqual({ command: 'zINSTREAM\0', content: file.toString() });
    await letGo();
    expect(told).toEqual([]);
  });

  it.each<[string, ScanVerdict]>([
    ['stream: Eicar-Test-Signature FOUND\0', { is: 'infected', name: 'Eicar-Test-Signature' }],
    ['stream: Win.Test FOUND twice FOUND\0', { is: 'infected', name: 'Win.Test FOUND twice' }],
    ['stream: OK\n', { is: 'clean' }],
  ])('is what an answer says, in however many pieces it comes: %j', async (answer, verdict) => {
    const scanner = open(await standIn(answers(...(answer.match(/[\s\S]{1,3}/g) ?? []))));
    expect((await scan(scanner)).verdict).toEqual(verdict);
  });

  it('is known as too large before its end, and is read no further', async () => {
    const address = await standIn((socket) =>
      socket.once('data', () => socket.end('INSTREAM size limit exceeded. ERROR\0')),
    );
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) {
          yield Buffer.alloc(65_536);
          await pause(5);
        }
      } finally {
        isClosed = true;
      }
    }
    expect((await scan(open(address), endless())).verdict).toEqual({ is: 'too-large' });
    expect(isClosed).toBe(true);
    await letGo();
  });

  it('goes to a socket of the file system, too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sigma-clamd-'));
    const address = await standIn(answers('stream: OK\0'), join(folder, 'clamd.ctl'));
    expect((await scan(open(address))).verdict).toEqual({ is: 'clean' });
    await rm(folder, { recursive: true });
  });

  it('lets go of the scanner when nobody wants the rest of it, and when it breaks off itself', async () => {
    const scanner = open(await standIn(() => {}));
    for await (const piece of scanner.scan(inPieces(file))) {
      expect(piece).toEqual(file.subarray(0, 7));
      break;
    }
    await letGo();
    async function* breaking() {
      yield file;
      throw new Error('cut off');
    }
    await expect(scan(scanner, breaking())).rejects.toThrow('cut off');
    await letGo();
    // Neither error is the scanner's fault.
    expect(told).toEqual([]);
  });
});

describe('a scanner that cannot be believed', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['hangs up at once', (socket) => socket.destroy()],
    ['resets the connection', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['ends without an answer', answers('')],
    ['breaks off in its answer', answers('stream: O')],
    ['says something else', answers('HTTP/1.1 400 Bad Request\r\n')],
    ['says nothing of the file', answers('PONG\0')],
    ['fails', answers('stream: Can’t allocate memory ERROR\0')],
    ['finds a nothing', answers('stream:  FOUND\0')],
    ['is impatient', answers('COMMAND READ TIMED OUT\n')],
    ['never ends its answer', (socket) => socket.once('data', () => socket.write('x'.repeat(5_000)))],
    ['says so before it has seen all', (socket) => socket.once('data', () => socket.write('stream: OK\0'))],
  ])('lets nothing pass: it %s', async (_, behave) => {
    const scanner = open(await standIn(behave));
    async function* slowly() {
      for (let n = 0; n < 40; n++) {
        yield file;
        await pause(5);
      }
    }
    await expect(scan(scanner, slowly())).rejects.toMatchObject(away);
    await letGo();
    expect(told).toEqual(['the antivirus scanner is away: no file is taken']);
  });

  it('is not waited for longer than its time, wherever it hangs', async () => {
    const hanging = open(await standIn(() => {}), { ...PATIENT, answerMs: 50 });
    await expect(scan(hanging)).rejects.toMatchObject(away);
    await letGo();
    // More than the system buffers for a peer that does not read.
    const deaf = await standIn((socket) => socket.pause());
    await expect(
      scan(open(deaf, { ...PATIENT, answerMs: 50 }), inPieces(Buffer.alloc(30_000_000), 10_000_000)),
    ).rejects.toMatchObject(away);
    await letGo();
  });

  it('is not waited for longer than its time in all, though it takes a little again and again', async () => {
    const slow = await standIn((socket) => {
      socket.pause();
      const timer = setInterval(() => socket.read(60_000), 30);
      socket.on('close', () => clearInterval(timer));
    });
    const scanner = open(slow, { ...PATIENT, allMs: 300 });
    await expect(scan(scanner, inPieces(Buffer.alloc(100_000_000), 100_000))).rejects.toMatchObject(away);
    await letGo();
  });

  it('is told as away once, and as back once', async () => {
    const address = await standIn(answers('stream: OK\0'));
    const nowhere = { host: '127.0.0.1', port: 9 };
    const gone = open(nowhere);
    for (let n = 0; n < 3; n++) await expect(scan(gone)).rejects.toMatchObject(away);
    expect(told).toEqual(['the antivirus scanner is away: no file is taken']);
    told = [];
    // The same object, so the scanner's state is kept.
    const place = { ...nowhere };
    const scanner = open(place);
    await expect(scanner.check()).rejects.toMatchObject(away);
    Object.assign(place, address);
    await scan(scanner);
    await scan(scanner);
    expect(told).toEqual([
      'the antivirus scanner is away: no file is taken',
      'the antivirus scanner is back',
    ]);
  });
});

describe('whoever waits', () => {
  it('goes when they want to, with their reason, and the connection with them', async () => {
    const scanner = open(await standIn(() => {}));
    for (const when of ['before', 'meanwhile']) {
      const leaving = new AbortController();
      const reason = new Error('left');
      if (when === 'before') leaving.abort(reason);
      const waiting = scan(scanner, inPieces(file), leaving.signal);
      if (when === 'meanwhile') setTimeout(() => leaving.abort(reason), 30);
      await expect(waiting).rejects.toBe(reason);
    }
    await letGo();
    expect(told).toEqual([]);
  });

  it('is told when the server closes', async () => {
    const scanner = open(await standIn(() => {}));
    const waiting = scan(scanner);
    setTimeout(() => void scanner.close(), 30);
    await expect(waiting).rejects.toThrow(new EngineError('The server is closing.', { retryable: true }));
    await letGo();
    await expect(scan(scanner)).rejects.toThrow('The server is closing.');
  });
});

it('says whether it would scan, and what it is where it tells', async () => {
  const replies = [
    'PONG\0',
    'ClamAV 1.4.6/27800/Tue Nov 24 09:00:00 2026\0',
    'COMMAND UNAVAILABLE\0',
    'what?\0',
  ];
  const asked: string[] = [];
  const scanner = open(
    await standIn((socket) =>
      socket.once('data', (command: Buffer) => {
        asked.push(command.toString());
        socket.end(replies.shift() ?? '');
      }),
    ),
  );
  await scanner.check();
  expect(await scanner.version()).toBe('ClamAV 1.4.6/27800/Tue Nov 24 09:00:00 2026');
  expect(await scanner.version()).toBeNull();
  await expect(scanner.check()).rejects.toMatchObject(away);
  expect(asked).toEqual(['zPING\0', 'zVERSION\0', 'zVERSION\0', 'zPING\0']);
});

describe.skipIf(!hasClamd || !runsRest)('ClamAV itself (skipped where it is missing)', () => {
  it('finds what it knows in a stream, takes the rest, and lets nothing pass that is too large', async () => {
    const clamd = await RealClamd.start({ StreamMaxLength: '1M' });
    try {
      const scanner = open(clamd.address);
      await scanner.check();
      expect(await scanner.version()).toMatch(/^ClamAV \d/);
      expect((await scan(scanner)).verdict).toEqual({ is: 'clean' });
      expect((await scan(scanner, inPieces(Buffer.alloc(0)))).verdict).toEqual({ is: 'clean' });
      const infected = { is: 'infected', name: expect.stringContaining('Eicar-Test-Signature') };
      expect(await scan(scanner, inPieces(eicar()))).toEqual({ passed: eicar(), verdict: infected });
      const hidden = Buffer.concat([Buffer.alloc(300_000, 65), eicar()]);
      expect((await scan(scanner, inPieces(hidden, 65_536))).verdict).toEqual(infected);
      expect(told).toEqual([]);
      // The scanner hangs up while bytes are still being sent; whether its answer arrives first depends on
      // the network. Either way nothing passes.
      const tooLarge = await scan(scanner, inPieces(Buffer.alloc(5_000_000), 65_536)).then(
        ({ verdict }) => verdict.is,
        ({ name }: Error) => name,
      );
      expect(['too-large', 'EngineError']).toContain(tooLarge);
      await clamd.stop();
      await expect(scan(scanner)).rejects.toMatchObject(away);
    } finally {
      await clamd.stop();
    }
  });
});
