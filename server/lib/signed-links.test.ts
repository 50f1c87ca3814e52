import { describe, expect, it } from 'vitest';
import { createSignedLinks } from './signed-links.ts';

const hour = 60 * 60 * 1000;
const start = Date.UTC(2026, 10, 20, 7, 30);
const path = '/api/recordings/018f0000-0000-7000-8000-000000000000';
const queryOf = (link: string) => Object.fromEntries(new URL(link, 'http://sigma').searchParams);
const bond = 'user-1 0';
const at = (now: number, secret = 'a secret') => createSignedLinks(secret, () => now);

describe('a signed link', () => {
  const link = at(start).sign(path, bond);

  it('leads to its path and names nothing but its end', () => {
    expect(link).toMatch(new RegExp(`^${path}\\?expires=\\d+&signature=[\\w-]{43}$`));
  });

  it('is known by every instance with the same secret, and by no other', () => {
    expect(at(start).check(path, queryOf(link), bond)).toBe('valid');
    expect(at(start, 'another secret').check(path, queryOf(link), bond)).toBe('wrong');
  });

  it('stays the same within an hour and works for eleven to twelve', () => {
    expect(at(start + 29 * 60_000).sign(path, bond)).toBe(link);
    expect(at(start + hour).sign(path, bond)).not.toBe(link);
    expect(at(start + 11 * hour).check(path, queryOf(link), bond)).toBe('valid');
    expect(at(start + 12 * hour).check(path, queryOf(link), bond)).toBe('expired');
  });

  it.each([
    ['another path', { of: `${path.slice(0, -1)}1` }],
    ['a later end', { expires: '9999999999' }],
    ['the same end written otherwise', { expires: `0${queryOf(link).expires}` }],
    ['no end', { expires: undefined }],
    ['two ends', { expires: [queryOf(link).expires, '1'] }],
    ['a word as its end', { expires: 'NaN' }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['a shortened signature', { signature: queryOf(link).signature?.slice(0, -1) }],
    ['a changed signature', { signature: `A${queryOf(link).signature?.slice(1)}` }],
    ['a signature of other characters', { signature: 'ä'.repeat(43) }],
  ])('is refused with %s', (_what, { of = path, ...changed }: { of?: string } & object) => {
    expect(at(start).check(of, { ...queryOf(link), ...changed }, bond)).toBe('wrong');
  });

  it('has expired when its bond is another one, and is known as ours where that cannot be told', () => {
    expect(at(start).check(path, queryOf(link), 'user-1 1')).toBe('expired');
    expect(at(start).check(path, queryOf(link), null)).toBe('valid');
    expect(at(start, 'another secret').check(path, queryOf(link), null)).toBe('wrong');
  });
});
