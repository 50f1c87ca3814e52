import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createHostCheck } from './hosts.ts';

const publicUrl = 'https://care.example.com';

describe('without a setting', () => {
  const isAllowed = createHostCheck({ publicUrl, allowedHosts: [] });

  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST',
    'sigma.localhost:3000',
    '127.0.0.1:3000',
    '192.168.1.20',
    '203.0.113.7:8080',
    '[::1]:3000',
    '[fe80::1]',
    'sigma:3000',
    'front-desk.local',
    'sigma.fritz.box.lan',
    'sigma.corp:3000',
    'host.docker.internal:3000',
    'care.example.com',
    'care.example.com:443',
    'Care.Example.Com.',
    hostname(),
  ])('answers for %s', (host) => {
    expect(isAllowed(host)).toBe(true);
  });

  it.each([
    'evil.example.com',
    'evil.example.com:3000',
    'care.example.com.evil.com',
    'localhost.evil.com',
    '127.0.0.1.evil.com',
    'evil.com/localhost',
    'user@localhost',
    'localhost:3000:evil.com',
    '[::1].evil.com',
    ' ',
  ])('does not answer for %s', (host) => {
    expect(isAllowed(host)).toBe(false);
  });

  it('answers a client that names none: no browser leaves it out', () => {
    expect([isAllowed(undefined), isAllowed('')]).toEqual([true, true]);
  });
});

it('ALLOWED_HOSTS adds names, all names below one, or any', () => {
  const isAllowed = createHostCheck({ publicUrl: null, allowedHosts: ['desk.example.org', '.example.net'] });
  expect(isAllowed('desk.example.org:3000')).toBe(true);
  expect(isAllowed('a.b.example.net')).toBe(true);
  expect(isAllowed('example.net')).toBe(false);
  expect(isAllowed('notexample.net')).toBe(false);
  expect(createHostCheck({ publicUrl: null, allowedHosts: ['*'] })('anything.example.com')).toBe(true);
});
