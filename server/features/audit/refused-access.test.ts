import { expect, it } from 'vitest';
import { RefusedAccess } from './refused-access.ts';

function aLog() {
  const clock = { at: 0 };
  const written: string[] = [];
  const refused = new RefusedAccess(
    {
      record: async ({ action, actor, subject, address }) =>
        void written.push(`${action} ${actor?.email ?? 'nobody'} ${subject} ${address}`),
    },
    { now: () => clock.at },
  );
  return { refused, written, clock };
}
const ada = { id: 'ada', email: 'ada@example.com' };
const asked = (n: number) => ({
  kind: 'access' as const,
  actor: ada,
  subject: `GET /api/${n}`,
  address: '203.0.113.1',
});
const gate = (address: string) => ({
  kind: 'front gate' as const,
  actor: null,
  subject: 'front gate: rate-limited',
  address,
});
const guess = (n: number, actor: typeof ada | null) => ({
  kind: 'sign-in' as const,
  actor,
  subject: 'sign-in: too many attempts',
  address: `198.51.${n >> 8}.${n & 255}`,
});
const LEFT_OUT = 'more was refused, and is left out for ten minutes at most';

it('writes the same of the same once in ten minutes', () => {
  const { refused, written, clock } = aLog();
  for (let n = 0; n < 50; n++) refused.note({ ...asked(1), address: `203.0.113.${n}` });
  refused.note(asked(2));
  refused.note({ ...asked(1), actor: { ...ada, id: 'bob' } });
  expect(written).toHaveLength(3);
  clock.at += 10 * 60_000;
  refused.note(asked(1));
  expect(written).toHaveLength(4);
});

it('is not filled by whoever comes from everywhere, and says that it leaves something out', () => {
  const { refused, written, clock } = aLog();
  const come = () => {
    for (let n = 0; n < 5_000; n++) refused.note(gate(`198.51.${n >> 8}.${n & 255}`));
  };
  come();
  expect(written).toHaveLength(101);
  expect(written.at(-1)).toBe(`access-refused nobody front gate: ${LEFT_OUT} undefined`);
  clock.at += 10 * 60_000;
  come();
  expect(written).toHaveLength(202);
});

it('is not silenced for the signed-in, nor for accounts that are guessed at, by anything that strangers do', () => {
  const { refused, written } = aLog();
  for (let n = 0; n < 5_000; n++) {
    refused.note(gate(`198.51.${n >> 8}.${n & 255}`));
    refused.note(guess(n, null));
  }
  const bob = { id: 'bob', email: 'bob@example.com' };
  for (let n = 0; n < 5_000; n++) refused.note(guess(n, bob));
  const before = written.length;
  for (let n = 0; n < 45; n++) refused.note(asked(n));
  refused.note(guess(1, ada));
  refused.note({ ...asked(1), actor: bob });
  expect(written).toHaveLength(before + 47);
  expect(written.slice(-1)).toEqual(['access-refused bob@example.com GET /api/1 203.0.113.1']);
});

it('is not filled by one account, or by one IPv6 network', () => {
  const { refused, written } = aLog();
  for (let n = 0; n < 5_000; n++) refused.note(asked(n));
  expect(written).toHaveLength(51);
  for (let n = 0; n < 5_000; n++) refused.note(gate(`2001:db8:1:${n.toString(16)}::/64`));
  expect(written).toHaveLength(52);
  refused.note(gate('203.0.113.7'));
  expect(written.at(-1)).toBe('access-refused nobody front gate: rate-limited 203.0.113.7');
});
