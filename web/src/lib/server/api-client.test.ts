import { beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';

/** Requested addresses, with their authorization. */
let asked: { url: string; authorization: string | null }[];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, authorization: new Headers(init.headers).get('authorization') });
    return new Response('{}', { status: 200 });
  });
});

/** The client in a build with this setting. */
async function clientBuiltFor(address: string) {
  vi.resetModules();
  vi.stubEnv('VITE_API_URL', address);
  return import('./api-client.ts');
}

it.each([
  ['', '/api/agents'],
  ['https://care.example.com', 'https://care.example.com/api/agents'],
  ['https://care.example.com/sigma//', 'https://care.example.com/sigma/api/agents'],
])('calls the address that the build was given, or its own origin', async (setting, url) => {
  const { requestData } = await clientBuiltFor(setting);
  await requestData('/api/agents', { schema: z.object({}) });
  expect(asked.map((each) => each.url)).toEqual([url]);
  vi.unstubAllEnvs();
});

it('carries the token of the session, and none where nobody is signed in', async () => {
  const { request } = await clientBuiltFor('');
  await request('/api/status');
  localStorage.setItem('token', 'token-1');
  const { reloadSession } = await import('./session.ts');
  reloadSession();
  await request('/api/status');
  await request('/api/auth/login', { method: 'POST', token: null });
  expect(asked.map((each) => each.authorization)).toEqual([null, 'Bearer token-1', null]);
});
