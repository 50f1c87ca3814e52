import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPiper } from '#server/engines/synthesis/piper';
import type { PiperMethods } from '#server/engines/synthesis/piper.worker';
import { type CallWorld, openCallWorld } from '../../../tests/support/call-world.ts';
import { failingThread } from '../../../tests/support/failing-thread.ts';
import { door } from '../../../tests/support/scripted-engines.ts';

let world: CallWorld;
beforeAll(async () => {
  world = await openCallWorld();
});
afterAll(() => world.close());

it('goes on as text while the thread of the voice hangs and is replaced, and then with the voice again', async () => {
  const { opened, open } = door();
  let started = 0;
  const voice = createPiper({
    restartDelaysMs: [1],
    weights: {
      status: () => ({ state: 'ready', message: 'Here.' }),
      // The second thread finds its weights when the test says so.
      ensure: async () => (started === 0 ? '/models' : opened.then(() => '/models')),
      onProgress: () => () => {},
      close: async () => {},
    },
    startThread: (onExit) =>
      failingThread<PiperMethods>(
        {
          failure: started++ === 0 ? 'hangs' : null,
          at: 'speak',
          answers: { speak: { samples: new Float32Array([0.1, 0.2]), sampleRate: 22_050 } },
        },
        onExit,
      ),
  });
  Object.assign(world.synthesis, {
    status: () => voice.status(),
    synthesize: voice.synthesize.bind(voice),
  });
  await expect.poll(() => voice.status().state).toBe('ready');
  const client = await world.connect(await world.addUser(), { streaming: true });
  const { conversationId } = await client.start();
  const said = async (text: string) => {
    const before = client.all('ai_response').length;
    expect(await client.say(conversationId, text)).toMatchObject({ ok: true });
    return client.nth('ai_response', before + 1);
  };
  for (const text of ['Where is my order?', 'And my refund?']) {
    expect((await said(text)).message).toContain(`You said: ${text}`);
    expect(voice.status().message).toBe('The voice is being loaded; text works meanwhile.');
  }
  open();
  await expect.poll(() => voice.status().state).toBe('ready');
  const chunks = client.all('ai_response_chunk').length;
  await said('Thank you.');
  expect(
    client
      .all('ai_response_chunk')
      .slice(chunks)
      .some((chunk) => chunk.audioData),
  ).toBe(true);
  expect(started).toBe(2);
  await voice.close();
});
