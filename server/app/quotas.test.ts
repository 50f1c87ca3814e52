import { io } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SignedIn } from '#shared/accounts';
import { anAgent } from '../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  const quotas = { agents: 2, conversationsPerDay: 2, charactersPerDay: 20_000, calls: 1 };
  app = await openTestApp({ config: { publicUrl: null, corsOrigins: [], rateLimit: false, quotas } });
  url = await app.listen();
});
afterAll(() => app.close());

/** Opens a client of the user; returns the server's acknowledgements. */
async function aTab({ token }: SignedIn) {
  const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    send: (event: string, payload: object) =>
      new Promise<{ ok: boolean; conversationId?: string; error?: { code: string; message: string } }>(
        (resolve) => socket.emit(event, payload, resolve),
      ),
    leave: () => socket.disconnect(),
  };
}

it('an account has as many agents as the setting says', async () => {
  const { token, user } = await app.signUp();
  const { name, companyName, personality, companyInfo, prompts } = anAgent(user._id);
  const create = () =>
    app.as(token, 'POST', '/api/agents', { name, companyName, personality, companyInfo, prompts });
  expect([(await create()).statusCode, (await create()).statusCode]).toEqual([201, 201]);
  expect((await create()).json()).toMatchObject({
    code: 'conflict',
    message: 'Your workspace has 2 agents, which is the most it may have. Delete one to create another.',
  });
});

it('an account begins as many conversations within a day; others, and open ones, go on', async () => {
  const ada = await app.signUp();
  const tab = await aTab(ada);
  const start = (more: object = {}) =>
    tab.send('start_conversation', { userId: ada.user._id, isCallSimulator: true, ...more });
  const [first] = [await start(), await start()];
  const refused = {
    ok: false,
    error: {
      code: 'conflict',
      message:
        'This account has begun 2 conversations within a day, which is the most it may begin. Delete some, or try again tomorrow.',
    },
  };
  expect(await start()).toMatchObject(refused);
  const room = { roomName: 'lobby', participantName: 'Ada', participantIdentity: ada.user._id };
  expect((await app.as(ada.token, 'POST', '/api/livekit/join-room', room)).json()).toMatchObject(
    refused.error,
  );
  expect(await start({ conversationId: first?.conversationId })).toMatchObject({ ok: true });
  const bob = await app.signUp();
  const other = await aTab(bob);
  expect(
    await other.send('start_conversation', { userId: bob.user._id, isCallSimulator: true }),
  ).toMatchObject({
    ok: true,
  });
  await app.as(ada.token, 'DELETE', `/api/conversations/${first?.conversationId}`);
  expect(await start()).toMatchObject({ ok: true });
  tab.leave();
  other.leave();
});

it('an account stores as much text within a day, in messages and agents; others go on', async () => {
  const tooMuch =
    'This account has stored 0.02 million characters of text within a day, which is the most it may store. Go on tomorrow.';
  const [ada, bob] = [await app.signUp(), await app.signUp()];
  const say = async ({ user }: SignedIn, tab: Awaited<ReturnType<typeof aTab>>, characters: number) => {
    const { conversationId } = await tab.send('start_conversation', {
      userId: user._id,
      isCallSimulator: true,
    });
    return tab.send('user_message', { conversationId, message: 'a'.repeat(characters) });
  };
  const tabs = [await aTab(ada), await aTab(bob)] as const;
  const { name, companyName, personality, prompts } = anAgent(ada.user._id);
  const draft = { name, companyName, personality, prompts, companyInfo: 'b'.repeat(9_000) };
  const save = (companyInfo: string) =>
    app.as(ada.token, 'PUT', `/api/agents/${agent._id}`, { ...draft, companyInfo });
  const created = await app.as(ada.token, 'POST', '/api/agents', draft);
  const agent = created.json();
  expect((await save('c'.repeat(3_000))).statusCode).toBe(200);
  expect(await say(ada, tabs[0], 7_000)).toMatchObject({ ok: true });
  expect(await say(ada, tabs[0], 2_000)).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: tooMuch, retryable: false },
  });
  expect((await save('d'.repeat(3_000))).json()).toMatchObject({ code: 'conflict', message: tooMuch });
  expect(await app.as(ada.token, 'GET', `/api/agents/${agent._id}`).then((got) => got.json())).toMatchObject({
    companyInfo: 'c'.repeat(3_000),
  });
  expect(await say(bob, tabs[1], 7_000)).toMatchObject({ ok: true });
  for (const tab of tabs) tab.leave();
});

it('an account has as many calls at the same time', async () => {
  const ada = await app.signUp();
  const tabs = [await aTab(ada), await aTab(ada)];
  const speak = async (tab: (typeof tabs)[number] | undefined) => {
    const { conversationId } =
      (await tab?.send('start_conversation', { userId: ada.user._id, isCallSimulator: true })) ?? {};
    return tab?.send('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free' });
  };
  expect(await speak(tabs[0])).toEqual({ ok: true });
  expect(await speak(tabs[1])).toMatchObject({
    error: {
      code: 'conflict',
      message: 'You are already speaking in other tabs. Switch a microphone off there first.',
    },
  });
  for (const tab of tabs) tab.leave();
});
