import { expect, it } from 'vitest';
import { RefusedAccess } from './refused-access.ts';

function aLog() {
  const clock = { at: 0 };
  const written: string[] = [];
  const refused = new RefusedAccess(
    { record: async ({ action, subject, address }) => void written.push(`${action} ${subject} ${address}`) },
    { now: () => clock.at },
  );
  return { refused, written, clock };
}
const ada = { id: 'ada', email: 'ada@example.com' };

it('writes the same of the same once in ten minutes', () => {
  const { refused, written, clock } = aLog();
  const refusal = { actor: ada, subject: 'GET /api/members', address: '203.0.113.1' };
  for (let n = 0; n < 50; n++) refused.note(refusal);
  refused.note({ ...refusal, subject: 'GET /api/audit' });
  refused.note({ ...refusal, actor: { ...ada, id: 'bob' } });
  expect(written).toHaveLength(3);
  clock.at += 10 * 60_000;
  refused.note(refusal);
  expect(written).toHaveLength(4);
});

it('is not filled by whoever comes from everywhere', () => {
  const { refused, written, clock } = aLog();
  const come = () => {
    for (let n = 0; n < 5_000; n++)
      refused.note({ actor: null, subject: 'front gate', address: `203.0.113.${n}` });
  };
  come();
  expect(written).toHaveLength(100);
  clock.at += 10 * 60_000;
  come();
  expect(written).toHaveLength(200);
});
