import { expect, it } from 'vitest';
import { refuseWeakPassword } from './password-policy.ts';

const ada = { name: 'Ada Lovelace-Byron', email: 'countess.ada@northwind-shop.example' };
const refusal = (password: string) =>
  refuseWeakPassword('newPassword', password, ada).then(
    () => null,
    ({ fields }: { fields: Record<string, string> }) => fields.newPassword,
  );

it.each([
  'Sigma2026!',
  'sigma-sigma',
  'LOVELACE1',
  'lovelace2026',
  'byron.lovelace',
  'Northwind24',
  'countess!!!',
  'shopexample1',
])('refuses %s: it is little more than what is known of its owner', async (password) => {
  expect(await refusal(password)).toBe(
    'This password is little more than your name, your address or your company. Choose another.',
  );
});

it('refuses what many others have', async () => {
  expect(await refusal('password1')).toBe('This password is one of the most common ones. Choose another.');
});

it.each([
  'a sigma of eight and more',
  'lovelace rides a blue kettle',
  'correct horse battery staple',
  'adaadapter',
])('takes %s', async (password) => {
  expect(await refusal(password)).toBeNull();
});
