import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { Tokens } from './tokens.ts';

const keys = { apiKey: 'key', apiSecret: 'a secret of more than thirty-two letters' };
const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
const claims = part({ iss: keys.apiKey, sub: 'ann', exp: 9e9, video: { roomJoin: true, room: 'sales' } });

function signed(alg: string, hash: string): string {
  const content = `${part({ alg, typ: 'JWT' })}.${claims}`;
  return `${content}.${createHmac(hash, keys.apiSecret).update(content).digest('base64url')}`;
}

it('reads a token that is signed with HS256', async () => {
  const read = await new Tokens(keys).read(signed('HS256', 'sha256'));
  expect(read.video).toEqual({ roomJoin: true, room: 'sales' });
});

it.each([
  ['HS512 with the right key', signed('HS512', 'sha512')],
  ['HS384 with the right key', signed('HS384', 'sha384')],
  ['nothing', `${part({ alg: 'none' })}.${claims}.`],
  ['a header that is none', `bnVsbA.${claims}.x`],
  ['no header', `.${claims}.x`],
])('takes no token signed with %s', async (_what, token) => {
  await expect(new Tokens(keys).read(token)).rejects.toThrow(
    'invalid token: it is not signed as this server signs',
  );
});
