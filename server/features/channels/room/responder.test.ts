import { afterAll, beforeAll, expect, it } from 'vitest';
import { textOfSound } from '#server/engines/encoding/fake';
import { ownScope } from '../../../../tests/factories.ts';
import { Colleague } from '../../../../tests/support/colleague.ts';
import { openRoomWorld, type RoomWorld, until } from '../../../../tests/support/room-world.ts';

let world: RoomWorld;
const colleague = new Colleague();
beforeAll(async () => {
  world = await openRoomWorld({ unansweredMs: 30 }, undefined, { responderOf: async () => colleague });
});
afterAll(() => world.close());

it('has a colleague answer in a room: with voice, captions, and in the record of everybody', async () => {
  const ada = await world.addUser('Ada');
  const bob = await world.addUser('Bob');
  await world.join(ada, 'lobby');
  const presence = await world.presenceIn('lobby');
  presence.join({ identity: ada._id, name: 'Ada' });
  presence.listener.audible();
  const speech = (count: number) =>
    until(() => {
      const [id, each] = [...presence.speeches][count - 1] ?? [];
      return id !== undefined && each && each.pieces.length > 0 ? { id, ...each } : undefined;
    }, `speech ${count}`);
  const { id: welcome } = await speech(1);
  presence.listener.speechBegan(welcome);
  presence.listener.speechEnded({ speechId: welcome, playedMs: 2_000 });
  await world.join(bob, 'lobby');
  presence.join({ identity: bob._id, name: 'Bob' });
  await world.earsOf(2);
  (await world.earsOf(1)).says('Sigma, when do you open?');
  await until(() => colleague.turns.length === 1, 'the question');
  colleague.writes('At nine tomorrow.');
  const { id, pieces } = await speech(2);
  expect(pieces.map(textOfSound)).toEqual(['At nine tomorrow.']);
  colleague.isDone();
  presence.listener.speechBegan(id);
  presence.listener.speechEnded({ speechId: id, playedMs: 2_000 });
  await until(() => presence.captions.some(({ text }) => text === 'At nine tomorrow.'), 'its caption');
  for (const user of [ada, bob]) {
    const reply = await until(
      async () => (await world.records(user))[0]?.messages?.find(({ author }) => author.kind === 'colleague'),
      'the reply in the record',
    );
    expect(reply).toMatchObject({
      author: { kind: 'colleague', name: 'Dana' },
      content: 'At nine tomorrow.',
    });
    expect(reply).not.toHaveProperty('saidBy');
  }
  const [record] = await world.records(ada);
  await world.calls.say({
    scope: ownScope(ada),
    conversationId: record?._id ?? '',
    author: colleague.author,
    text: 'And on Sunday at ten.',
  });
  const second = await speech(3);
  expect(second.pieces.map(textOfSound)).toEqual(['And on Sunday at ten.']);
  presence.listener.speechBegan(second.id);
  (await world.earsOf(1)).tells.hold();
  (await world.earsOf(1)).tells.interrupt();
  for (const user of [ada, bob])
    await until(async () => {
      const last = (await world.records(user))[0]?.messages?.at(-1);
      return last?.author.name === 'Dana' && last.interrupted && last.content === '';
    }, 'what is left of it when somebody speaks over it');
  expect(world.dialogue.turns).toEqual([]);
  expect(world.failures).toEqual([]);
});
