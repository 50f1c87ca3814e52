import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { users } from '#server/database/schema';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SignedIn } from '#shared/accounts';
import { documentSchema, operationsOf } from '../tests/support/openapi-document.ts';
import { SECRET, type Somebody, somebodyIn } from '../tests/support/somebody.ts';
import { openTestApp, type TestApp } from '../tests/support/test-app.ts';
import { aRecordingForm } from '../tests/support/uploads.ts';
import { type Asker, askers, routeRights, statusFor } from '../tests/support/who-may.ts';

/* Everybody at every route: who is answered, who is not, and that what is refused changes nothing. */

const methodSchema = z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);

const rooms = createFakeRooms();
const mediaStore = createFakeMediaStore();
let app: TestApp;
let operations: string[];

beforeAll(async () => {
  // Whoever waits in a lobby is forgotten after a while: not here, however slow the machine is.
  vi.useFakeTimers({ toFake: ['Date'] });
  app = await openTestApp({ engines: { rooms, mediaStore } });
  // The first account owns the installation.
  await app.signUp();
  operations = [
    ...operationsOf(documentSchema.parse((await app.server.inject('/api/openapi.json')).json())).keys(),
  ];
});
afterAll(async () => {
  await app.close();
  vi.useRealTimers();
});

/** All that she sees of her own, without what is signed for a while. */
async function thingsOf({ her, of }: Somebody): Promise<string> {
  const urls = [
    '/api/auth/me',
    '/api/auth/sessions',
    '/api/agents',
    `/api/agents/${of.agent}/versions`,
    '/api/conversations',
    '/api/preferences',
    '/api/insights/unanswered',
    `/api/livekit/rooms/${encodeURIComponent(of.room)}`,
  ];
  const seen: string[] = [];
  for (const url of urls) seen.push((await app.as(her.token, 'GET', url)).body);
  return seen
    .join('\n')
    .replaceAll(/\?expires[^"]*/g, '')
    .replaceAll(/"lastUsedAt":"[^"]*"/g, '');
}

/** A new account of a role in another workspace; one that owns it owns the installation, too. */
async function signIn(role: 'member' | 'supervisor' | 'owner'): Promise<SignedIn> {
  const signedIn = await app.signUp();
  const isInstallationOwner = role === 'owner';
  await app.database.db
    .update(users)
    .set({ role, isInstallationOwner })
    .where(eq(users.id, signedIn.user._id));
  return signedIn;
}

it('says of every route who may use it', () => {
  expect(Object.keys(routeRights).sort()).toEqual(operations.sort());
});

it.each(Object.entries(routeRights))(
  '%s answers those it is for, and nobody else',
  async (operation, right) => {
    const [method = '', path = ''] = operation.split(' ');
    const hers = await somebodyIn({ app, rooms, mediaStore });
    const { her, of } = hers;
    const names = right.names?.(of) ?? [];
    const url = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(names.shift() ?? ''));
    const ask = async (asker: Asker) => {
      const who = asker === 'nobody' ? null : asker === 'herself' ? her : await signIn(asker);
      const form = right.isUpload ? await aRecordingForm() : null;
      const body = form?.body ?? right.body?.(who?.user._id ?? of.user);
      return app.server.inject({
        method: methodSchema.parse(method),
        url,
        headers: { ...form?.headers, ...(who ? { authorization: `Bearer ${who.token}` } : {}) },
        ...(body ? { body } : {}),
      });
    };
    const before = await thingsOf(hers);
    expect(before).toContain(SECRET);
    for (const asker of askers.filter((each) => each !== 'herself')) {
      const { statusCode, body } = await ask(asker);
      expect([asker, statusCode, body.slice(0, 300)]).toEqual([
        asker,
        statusFor(right, asker),
        expect.anything(),
      ]);
      // Owners see who is in the installation: names, not things.
      if (!right.for.endsWith('owners') || asker !== 'owner') expect([asker, body]).not.toContain(SECRET);
      expect(body).not.toContain(`${SECRET} opens`);
    }
    expect(await thingsOf(hers)).toBe(before);
    const answer = await ask('herself');
    expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([
      statusFor(right, 'herself'),
      expect.anything(),
    ]);
  },
);
