import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { startProgram } from '../../support/programs.ts';
import { freshSentence } from '../fresh-sentence.ts';
import { now } from './clock.ts';

/** An observed request, in milliseconds since 1970. */
export interface Passed {
  what: 'hear' | 'speak' | 'think';
  askedAt: number;
  /** Of the answer; null while there is none. */
  firstAt: number | null;
  /** Null if it was not answered completely, or was cancelled. */
  doneAt: number | null;
}

/** The services of every measured system: the same ears, voice and language model, all behind OpenAI's API. */
export interface Services {
  /** Base address of all three. */
  url: string;
  passed: readonly Passed[];
  close(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;

/**
 * Starts a fresh speech server, since it caches its speech, behind a proxy that records requests. The language model is
 * a stand-in: it answers at once with twelve words that were never spoken before.
 */
export async function startServices(): Promise<Services> {
  const port = await freePort();
  const speech = startProgram('server/app/speech-main.ts', [], {
    SPEECH_PORT: String(port),
    LOG_LEVEL: 'error',
    ...(process.env.MODELS_DIR ? { MODELS_DIR: process.env.MODELS_DIR } : {}),
  });
  const target = `http://127.0.0.1:${port}`;
  await speech.until(({ stdout }) => stdout.includes(target));
  const deadline = now() + READY_WITHIN_MS;
  while (!(await fetch(`${target}/ready`)).ok) {
    if (now() > deadline) throw new Error('The speech server is not ready.');
    await pause(100);
  }

  const passed: Passed[] = [];
  const agent = new Agent({ keepAlive: true, noDelay: true });
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming;
    if (url.endsWith('/chat/completions')) return answer(incoming, outgoing, passed);
    const one = seen(url.endsWith('/transcriptions') ? 'hear' : 'speak', passed);
    const asked = request(new URL(url, target), { method, headers, agent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers).flushHeaders();
      response.once('data', () => {
        one.firstAt = now();
      });
      response.once('end', () => {
        one.doneAt = now();
      });
      response.pipe(outgoing);
    });
    asked.once('error', () => outgoing.destroy());
    outgoing.once('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/v1`,
    passed,
    async close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      speech.child.kill('SIGTERM');
      await speech.ended;
    },
  };
}

function seen(what: Passed['what'], passed: Passed[]): Passed {
  const one: Passed = { what, askedAt: now(), firstAt: null, doneAt: null };
  passed.push(one);
  return one;
}

/** In OpenAI's streaming format, a word a piece. */
function answer(incoming: IncomingMessage, outgoing: ServerResponse, passed: Passed[]): void {
  const one = seen('think', passed);
  incoming.resume();
  incoming.once('end', () => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const piece = (delta: object, finish_reason: string | null) =>
      outgoing.write(
        `data: ${JSON.stringify({ id: 'fixed', object: 'chat.completion.chunk', created: 0, model: 'fixed', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    piece({ role: 'assistant', content: '' }, null);
    one.firstAt = now();
    for (const content of freshSentence().split(/(?<= )/)) piece({ content }, null);
    piece({}, 'stop');
    outgoing.end('data: [DONE]\n\n');
    one.doneAt = now();
  });
}
