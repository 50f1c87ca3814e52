import { expect, it } from 'vitest';
import { isNear, isNearHost } from './near.ts';

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.1.1', true],
  ['::1', true],
  ['::ffff:10.0.0.1', true],
  ['fd00::1', true],
  ['fe80::1%eth0', true],
  ['8.8.8.8', false],
  ['2001:4860:4860::8888', false],
  ['0x7f.1', false],
  ['', false],
])('%j is of this machine or a private network: %s', (ip, expected) => {
  expect(isNear(ip)).toBe(expected);
});

it.each([
  ['localhost', true],
  ['database', true],
  ['erp.internal', true],
  ['[::1]', true],
  ['example.com', false],
  ['8.8.8.8', false],
])('%j is a host near by: %s', (host, expected) => {
  expect(isNearHost(host)).toBe(expected);
});
