import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { createPasswords } from './passwords.ts';

it('matches a password with its own hash only, and nothing with nobody', async () => {
  const passwords = createPasswords();
  const stored = await passwords.hash('correct horse');
  expect(await passwords.matches('correct horse', stored)).toBe(true);
  expect(await passwords.matches('correct horsf', stored)).toBe(false);
  expect(await passwords.matches('correct horse', null)).toBe(false);
  expect(await passwords.hash('correct horse')).not.toBe(stored);
});

it('asks to come back when too many wait, and goes on afterwards', async () => {
  const passwords = createPasswords({ maxWaiting: 3 });
  const flood = await Promise.allSettled(Array.from({ length: 8 }, () => passwords.hash('correct horse')));
  const refused = flood.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'rate-limited', status: 429, retryAfterMs: 2_000 });
  await expect(passwords.hash('correct horse')).resolves.toContain('argon2id');
});

it.each(['password', 'Password1', 'qwertyuiop', '1234567890', 'iloveyou'])(
  'knows that %s is common',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

it.each(['correct horse battery staple', 'ümläut-çedille', '7&kL!p2#Qz', '__proto__', 'constructor'])(
  'takes %s for uncommon',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);
