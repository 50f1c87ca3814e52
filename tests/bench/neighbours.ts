import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { figure } from './figures.ts';
import { type BenchCall, startCall } from './turn-latency.ts';
import { startServer } from './turn-server.start.ts';

const SMALL_TURNS = 30;
const LARGE_AGENTS = 20;
const COMPANY_CHARACTERS = 200_000;
const MESSAGE_CHARACTERS = 8_000;
const UPLOAD_BYTES = 20_000_000;

/** A neighbour's work, repeated until the signal. */
type Noise = (call: BenchCall, url: string, signal: AbortSignal) => Promise<void>;

const paragraph = (n: number) =>
  `## Item ${n}\nDelivery of item ${n} takes ${1 + (n % 9)} days and costs ${n % 40}.90 euros. It can be returned within ${n % 30} days, unless it was made to measure.\n\n`;
const book = (seed: number) => {
  let text = '';
  for (let n = 0; text.length < COMPANY_CHARACTERS - 300; n++) text += paragraph(seed * 10_000 + n);
  return text;
};

const noises: Record<string, Noise> = {
  'twenty agents with 200,000 characters each': async (call, url, signal) => {
    for (let n = 0; !signal.aborted; n++) {
      const { status } = await ask(call, url, n < LARGE_AGENTS ? 'POST' : 'GET', '/api/agents', {
        name: 'Mia',
        companyName: 'Contoso',
        personality: 'Brief.',
        companyInfo: book(n),
        prompts: [],
      });
      if (status >= 500) throw new Error(`/api/agents answers ${status}`);
      if (n >= LARGE_AGENTS) await pause(1_000);
    }
  },
  'messages of 8,000 characters': async (call, _url, signal) => {
    for (let n = 0; !signal.aborted; n++)
      await call.turn(
        n,
        false,
        `${'Is item 12 there, and what is the 中文 word for it? '.repeat(200)}`.slice(0, MESSAGE_CHARACTERS),
      );
  },
  'long words of 8,000 characters': async (call, _url, signal) => {
    for (let n = 0; !signal.aborted; n++) await call.turn(n, false, 'a.b中'.repeat(MESSAGE_CHARACTERS / 4));
  },
  'everything listed, read and exported': async (call, url, signal) => {
    for (let n = 0; n < 200 && !signal.aborted; n++) await call.turn(n, false);
    while (!signal.aborted) {
      await ask(call, url, 'GET', '/api/conversations');
      await ask(call, url, 'GET', `/api/conversations/${call.conversationId}`);
      await ask(call, url, 'GET', '/api/auth/export');
    }
  },
  'uploads of 20 MB': async (call, url, signal) => {
    const wav = Buffer.alloc(UPLOAD_BYTES);
    wav.write('RIFF', 0);
    wav.write('WAVEfmt ', 8);
    wav.set([16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3e, 0, 0, 0, 0x7d, 0, 0, 2, 0, 16, 0], 16);
    wav.write('data', 36);
    wav.writeUInt32LE(UPLOAD_BYTES - 44, 40);
    while (!signal.aborted) {
      const form = new FormData();
      form.append('audio', new Blob([wav], { type: 'audio/wav' }), 'recording.wav');
      form.append('transcript', 'Hello');
      await fetch(`${url}/api/conversations/${call.conversationId}/audio`, {
        method: 'POST',
        headers: { authorization: `Bearer ${call.token}` },
        body: form,
      }).then((response) => response.arrayBuffer());
    }
  },
};

/** How much slower one account's small turns are while another one keeps the server busy. */
export async function benchNeighbours(): Promise<void> {
  const server = await startServer();
  const small = await startCall(server.url);
  try {
    await median(small, 5);
    const alone = await median(small, SMALL_TURNS);
    figure('a small turn, alone', `p50 ${alone.toFixed(0)} ms, load ${loadavg()[0]?.toFixed(1)}`);
    for (const [what, noise] of Object.entries(noises)) {
      const neighbour = await startCall(server.url);
      const stop = new AbortController();
      server.tell('watch');
      const making = noise(neighbour, server.url, stop.signal);
      making.catch(() => {});
      await pause(2_000);
      const beside = await median(small, SMALL_TURNS);
      stop.abort();
      await making;
      neighbour.close();
      const { p99Ms, maxMs } = await server.eventLoop();
      figure(
        `– beside ${what}`,
        `p50 ${beside.toFixed(0)} ms, ${(beside / alone).toFixed(2)} of alone   event loop p99 ${p99Ms.toFixed(0)} ms, most ${maxMs.toFixed(0)} ms`,
      );
    }
  } finally {
    small.close();
    await server.close();
  }
}

let asked = 0;
async function median(call: BenchCall, turns: number): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < turns; n++) times.push((await call.turn(asked++, false)).responseMs);
  return times.sort((a, b) => a - b)[turns >> 1] ?? Number.NaN;
}

/** Reads all of an answer. */
async function ask(
  { token }: BenchCall,
  url: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  await response.arrayBuffer();
  return response;
}
