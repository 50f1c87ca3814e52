import { expect, it } from 'vitest';
import { MemoryState } from '#server/engines/shared-state/memory';
import { createSessionEnds, type EndedSession } from './session-ends.ts';

it('tells of an end here at once and at the other instances, once each', async () => {
  const state = new MemoryState();
  const [here, there] = [createSessionEnds(state), createSessionEnds(new MemoryState(state))];
  const [heardHere, heardThere]: [EndedSession[], EndedSession[]] = [[], []];
  here.listen((ended) => heardHere.push(ended));
  there.listen((ended) => heardThere.push(ended));
  const ended = { sessionId: 's', userId: 'u' };
  here.announce(ended);
  expect(heardHere).toEqual([ended]);
  await expect.poll(() => heardThere).toEqual([ended]);
  expect(heardHere).toEqual([ended]);
});
