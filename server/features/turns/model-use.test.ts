import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ModelUse } from '#server/dialogue/contract';
import { ownScope } from '../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  demoProfile,
  openCallWorld,
  type TestUser,
} from '../../../tests/support/call-world.ts';
import { sentencesOf } from '../../../tests/support/scripted-engines.ts';
import type { CallModelUse } from './model-use.ts';

type Paid = Parameters<CallModelUse['allowance']>[0] & { use: ModelUse };

const use = { model: 'small', input: 90, output: 12 };
const paid: Paid[] = [];
let world: CallWorld;
let user: TestUser;
let client: CallClient;
let conversationId: string;
beforeAll(async () => {
  world = await openCallWorld({
    modelUse: {
      allowance: (turn) => ({ isLeft: () => true, onUse: (each) => void paid.push({ ...turn, use: each }) }),
    },
  });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.reset();
  paid.length = 0;
  world.dialogue.answer = async function* ({ models, text }) {
    try {
      yield* sentencesOf(`You said: ${text}`);
    } finally {
      models?.onUse(use);
    }
  };
  user = await world.addUser();
  client = await world.connect(user, { streaming: true });
  ({ conversationId } = await client.start({ voice: false }));
});

it('of a message is paid for by its turn', async () => {
  const ack = await client.say(conversationId, 'Open?');
  await client.quiet();
  expect(paid).toEqual([
    { scope: ownScope(user), conversationId, messageId: ack.ok ? ack.messageId : null, use },
  ]);
});

it('of what was thought ahead is paid for by the turn that takes it, or else by none', async () => {
  await client.send('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free' });
  const microphone = world.microphones.at(-1);
  microphone?.tells.speaking(true);
  microphone?.tells.candidate('Are you');
  await expect.poll(() => world.dialogue.turns.length).toBe(1);
  microphone?.tells.candidate('Are you open?');
  await expect.poll(() => paid).toEqual([{ scope: ownScope(user), conversationId, messageId: null, use }]);
  await expect.poll(() => world.dialogue.turns.length).toBe(2);
  microphone?.takes('Are you open?');
  await client.quiet();
  const [question] = (await world.conversations.messages(ownScope(user), conversationId)).filter(
    ({ role }) => role === 'user',
  );
  expect(world.dialogue.turns).toHaveLength(2);
  expect(paid.slice(1)).toEqual([{ scope: ownScope(user), conversationId, messageId: question?.id, use }]);
});

it('of an agent that is tried is paid for by whoever tries it', async () => {
  const turn = { scope: ownScope(user), agent: demoProfile, history: [] };
  await world.calls.rehearse({ ...turn, text: 'Open?' }, new AbortController().signal);
  await world.calls.rehearse(turn, new AbortController().signal);
  expect(paid).toEqual([{ scope: ownScope(user), conversationId: null, messageId: null, use }]);
});
