import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { collectGarbage } from '../../../tests/support/collect-garbage.ts';
import { noAnswers, serveNoAnswer } from '../../../tests/support/no-answers.ts';
import { findServersHere } from './found-here.ts';

const open: Server[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that answers these paths, and 404 elsewhere. @returns its address */
async function answering(answers: Record<string, unknown>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (typeof answer === 'string' && answer.startsWith('http'))
      return void response.writeHead(302, { location: answer }).end();
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const signal = new AbortController().signal;
const nowhere = 'http://127.0.0.1:9';
/** Long enough for a busy machine. */
const PATIENT_MS = 60_000;

it('finds what answers as Ollama, llama.cpp and vLLM do, with their models', async () => {
  const addresses: Record<string, string> = {
    Ollama: await answering({ '/api/tags': { models: [{ name: 'llama3.2:latest' }, { name: 'qwen3:8b' }] } }),
    'llama.cpp': await answering({ '/v1/models': { data: [{ id: 'smol.gguf', owned_by: 'llamacpp' }] } }),
    vLLM: await answering({ '/v1/models': { data: [{ id: 'meta/llama', owned_by: 'vllm' }] } }),
  };
  expect(await findServersHere(signal, ({ label }) => addresses[label] ?? nowhere, PATIENT_MS)).toEqual([
    { label: 'Ollama', baseUrl: `${addresses.Ollama}/v1`, models: ['llama3.2:latest', 'qwen3:8b'] },
    { label: 'llama.cpp', baseUrl: `${addresses['llama.cpp']}/v1`, models: ['smol.gguf'] },
    { label: 'vLLM', baseUrl: `${addresses.vLLM}/v1`, models: ['meta/llama'] },
  ]);
});

it('takes nobody else for one', async () => {
  const real = await answering({ '/v1/models': { data: [{ id: 'a', owned_by: 'llamacpp' }] } });
  const strangers = [
    { '/v1/models': { data: [{ id: 'gpt', owned_by: 'somebody' }] }, '/api/tags': { models: [] } },
    { '/v1/models': '<html>A shop</html>', '/api/tags': '<html>A shop</html>' },
    { '/v1/models': `{"data":[],"x":"${'x'.repeat(1_100_000)}"}`, '/api/tags': 'null' },
    { '/v1/models': `${real}/v1/models`, '/api/tags': `${real}/api/tags` },
    {},
  ];
  for (const answers of strangers) {
    const address = await answering(answers);
    expect(await findServersHere(signal, () => address, PATIENT_MS)).toEqual([]);
  }
  expect(await findServersHere(signal, () => nowhere)).toEqual([]);
});

it('does not wait for one that says nothing', async () => {
  const silent = createServer(() => {});
  open.push(silent);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await findServersHere(signal, () => address)).toEqual([]);
});

it.each(noAnswers)(
  'waits no longer than it may for one that %s, whatever is collected as garbage meanwhile',
  async (way) => {
    const { host, close } = await serveNoAnswer(way);
    const finding = findServersHere(signal, () => `http://${host}`, 300);
    await collectGarbage();
    expect(await finding).toEqual([]);
    await close();
  },
);
