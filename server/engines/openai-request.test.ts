import { afterEach, describe, expect, it } from 'vitest';
import { noAnswers, serveNoAnswer } from '../../tests/support/no-answers.ts';
import { askOpenAi, type OpenAiService, streamOpenAi } from './openai-request.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

describe.each(noAnswers)('a server that %s', (way) => {
  const body = () => ({ body: '{}', contentType: 'application/json' });
  const service = async (timeoutMs: number): Promise<OpenAiService> => {
    const { host, close } = await serveNoAnswer(way);
    closers.push(close);
    return {
      label: 'The voice',
      settings: { address: 'A', model: 'M', key: 'K' },
      baseUrl: `http://${host}`,
      apiKey: null,
      timeoutMs,
      retryDelaysMs: [1],
    };
  };

  it('is waited for no longer than it may be', async () => {
    const asking = askOpenAi(await service(200), '/', body, undefined);
    await expect(asking).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    const streaming = async () => {
      for await (const _ of streamOpenAi(await service(200), '/', body, undefined));
    };
    await expect(streaming()).rejects.toMatchObject({ name: 'EngineError', retryable: true });
  });

  it('is left when somebody says so', async () => {
    const stop = new AbortController();
    const asking = askOpenAi(await service(60_000), '/', body, stop.signal, []).catch(
      (error: unknown) => error,
    );
    setTimeout(() => stop.abort(new Error('enough')), 100);
    expect(await asking).toBeInstanceOf(Error);
  });
});
