import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ownScope } from '../../../tests/factories.ts';
import { type CallWorld, openCallWorld, type TestUser } from '../../../tests/support/call-world.ts';
import { door } from '../../../tests/support/scripted-engines.ts';
import type { FinishedReply, TurnListener } from './call-events.ts';

let world: CallWorld;
let other: ReturnType<CallWorld['anotherServer']>;
let user: TestUser;
let conversationId: string;
beforeAll(async () => {
  world = await openCallWorld();
  other = world.anotherServer();
});
afterAll(async () => {
  await other.calls.close(0);
  await world.close();
});
beforeEach(async () => {
  world.reset();
  user = await world.addUser();
  const client = await world.connect(user);
  ({ conversationId } = await client.start());
});

/** Records all its events. */
function ear(): TurnListener & { replies: FinishedReply[]; failures: string[] } {
  const replies: FinishedReply[] = [];
  const failures: string[] = [];
  return {
    ...world.nobody(),
    replies,
    failures,
    reply: (reply) => void replies.push(reply),
    failed: ({ message }) => void failures.push(message),
  };
}

const message = (text: string, clientMessageId: string) => ({
  scope: ownScope(user),
  conversationId,
  text,
  clientMessageId,
});

/** A dialogue that answers when the door is opened. */
function answersBehindADoor() {
  const gate = door();
  world.dialogue.answer = async function* ({ text }) {
    await gate.opened;
    yield { type: 'sentence', index: 0, text: `You said: ${text}`, isLast: true };
    yield { type: 'reply', text: `You said: ${text}`, citations: [], outcome: 'answered' };
  };
  return gate;
}

describe('a message that is asked for at two instances', () => {
  it('is answered once, and both tell the same reply', async () => {
    const gate = answersBehindADoor();
    const [first, second] = [ear(), ear()];
    const here = await world.calls.takeTurn(message('Hi', 'a'), first);
    await expect.poll(() => world.dialogue.turns).toHaveLength(1);
    const there = await other.calls.takeTurn(message('Hi', 'a'), second);
    expect(there.messageId).toBe(here.messageId);
    gate.open();
    await Promise.all([here.settled, there.settled]);
    expect(world.dialogue.turns).toHaveLength(1);
    expect(second.replies.map(({ responseId, message }) => [responseId, message.content])).toEqual([
      [here.responseId, 'You said: Hi'],
    ]);
    expect(first.replies).toHaveLength(1);
  });

  it('is answered where it is asked for again once the other instance is gone', async () => {
    // What a killed instance leaves: the message, and its claim until the lease ends.
    const { messageId } = await world.calls.note(message('Hi', 'a'));
    const seat = await world.sharedState.take(`turn in ${conversationId}`, 1);
    const listener = ear();
    const turn = await other.calls.takeTurn(message('Hi', 'a'), listener);
    expect(turn.messageId).toBe(messageId);
    expect(world.dialogue.turns).toHaveLength(0);
    seat?.release();
    await turn.settled;
    expect(listener.replies).toMatchObject([{ responseId: turn.responseId }]);
  });

  it('is answered by nobody while the one that waits is called off, which leaves no claim behind', async () => {
    const seat = await world.sharedState.take(`turn in ${conversationId}`, 1);
    const calling = new AbortController();
    const listener = ear();
    const turn = await other.calls.takeTurn(message('Hi', 'a'), listener, { signal: calling.signal });
    calling.abort();
    await turn.settled;
    expect(listener.failures).toEqual(['This answer was called off.']);
    expect(world.dialogue.turns).toHaveLength(0);
    seat?.release();
    await (await world.calls.takeTurn(message('Hi', 'a'), listener)).settled;
    expect(listener.replies).toHaveLength(1);
  });
});

describe('two messages of one conversation at two instances', () => {
  it('are answered one after the other, the second knowing the first reply', async () => {
    const gate = answersBehindADoor();
    const here = await world.calls.takeTurn(message('First.', 'a'), ear());
    await expect.poll(() => world.dialogue.turns).toHaveLength(1);
    const there = await other.calls.takeTurn(message('Second.', 'b'), ear());
    gate.open();
    await Promise.all([here.settled, there.settled]);
    expect(world.dialogue.turns).toHaveLength(2);
    expect(world.dialogue.turns[1]?.history.map(({ content }) => content)).toEqual([
      'Hello, this is Sigma of Northwind Test.',
      'First.',
      'You said: First.',
    ]);
  });
});
