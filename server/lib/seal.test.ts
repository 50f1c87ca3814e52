import { expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const seal = createSeal('a secret of the server');

it('gives back what was sealed, to the same secret and for the same purpose', () => {
  const sealed = seal.close('what nobody may read', 'a purpose');
  expect(sealed).not.toContain('nobody');
  expect(createSeal('a secret of the server').open(sealed, 'a purpose')).toBe('what nobody may read');
  expect(seal.open(sealed, 'another purpose')).toBeNull();
  expect(createSeal('another secret').open(sealed, 'a purpose')).toBeNull();
});

it('gives a key for each purpose, the same again and again, that tells nothing of another', () => {
  const key = seal.keyFor('a purpose');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(createSeal('a secret of the server').keyFor('a purpose')).toBe(key);
  expect(seal.keyFor('another purpose')).not.toBe(key);
  expect(createSeal('another secret').keyFor('a purpose')).not.toBe(key);
});

it('seals the same twice as two different things', () => {
  expect(seal.close('the same', 'p')).not.toBe(seal.close('the same', 'p'));
});

it('opens nothing that was changed anywhere', () => {
  const sealed = Buffer.from(seal.close('what nobody may write', 'p'), 'base64url');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(seal.open(changed.toString('base64url'), 'p')).toBeNull();
  }
  for (const nothing of ['', 'x', '%', 'AAAA'.repeat(20)]) expect(seal.open(nothing, 'p')).toBeNull();
});
