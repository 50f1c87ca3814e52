import { expect, it } from 'vitest';
import { createOriginCheck } from './origins.ts';

const isAllowed = createOriginCheck({
  publicUrl: 'https://care.example.com/app',
  corsOrigins: ['https://partner.example.com'],
});

it.each([
  ['http://127.0.0.1:3000', '127.0.0.1:3000', 'the page this server serves'],
  ['https://sigma.local', 'Sigma.Local', 'the same behind TLS, whatever the case of the host'],
  ['http://[::1]:3000', '[::1]:3000', 'the same on IPv6'],
  ['https://care.example.com', 'internal:3000', 'the public address'],
  ['https://partner.example.com', 'internal:3000', 'an origin of the settings'],
])('allows %s at host %s: %s', (origin, host) => {
  expect(isAllowed(origin, host)).toBe(true);
});

it.each([
  ['http://127.0.0.1:3001', '127.0.0.1:3000'],
  ['https://evil.example.com', 'care.example.com'],
  ['https://care.example.com.evil.com', 'care.example.com'],
  ['http://care.example.com', 'internal:3000'],
  ['null', 'null'],
  ['', ''],
  ['file://', undefined],
  ['ftp://host', 'host'],
  ['https://x', undefined],
])('refuses %s at host %s', (origin, host) => {
  expect(isAllowed(origin, host)).toBe(false);
});
