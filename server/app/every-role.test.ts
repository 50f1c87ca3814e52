import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { users } from '#server/database/schema';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SignedIn } from '#shared/accounts';
import { documentSchema, operationsOf } from '../../tests/support/openapi-document.ts';
import { SECRET, type Somebody, somebodyIn } from '../../tests/support/somebody.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { aRecordingForm } from '../../tests/support/uploads.ts';
import { type Asker, askers, isFor, routeRights, statusFor } from '../../tests/support/who-may.ts';

/* Every role at every route: allowed requests are answered, refused ones change nothing. */

const methodSchema = z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);

const rooms = createFakeRooms();
const mediaStore = createFakeMediaStore();
let app: TestApp;
let operations: string[];

beforeAll(async () => {
  // A lobby forgets people after a while: not here, however slow the machine is.
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

/** Everything that she sees of her own, without time-limited signatures. */
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

/** A new account for a request, in the owner's workspace or another. */
async function signIn(asker: Exclude<Asker, 'nobody' | 'herself'>, her: SignedIn): Promise<SignedIn> {
  if (asker !== 'stranger' && asker !== 'operator') return app.join(her, asker);
  const signedIn = await app.signUp();
  if (asker === 'operator')
    await app.database.db
      .update(users)
      .set({ isInstallationOwner: true })
      .where(eq(users.id, signedIn.user._id));
  return signedIn;
}

const isColleague = (asker: Asker) => ['member', 'supervisor', 'owner'].includes(asker);

it('says of every route who may use it', () => {
  expect(Object.keys(routeRights).sort()).toEqual(operations.sort());
});

it.each(Object.entries(routeRights))(
  '%s answers those it is for, and nobody else',
  async (operation, right) => {
    const [method = '', path = ''] = operation.split(' ');
    const hers = await somebodyIn({ app, rooms, mediaStore });
    const ask = async (asker: Asker, { her, of } = hers) => {
      const names = right.names?.(of) ?? [];
      const url = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(names.shift() ?? ''));
      const who = asker === 'nobody' ? null : asker === 'herself' ? her : await signIn(asker, her);
      const form = right.isUpload ? await aRecordingForm() : null;
      const body = form?.body ?? right.body?.(who?.user._id ?? of.user);
      const answer = await app.server.inject({
        method: methodSchema.parse(method),
        url,
        headers: { ...form?.headers, ...(who ? { authorization: `Bearer ${who.token}` } : {}) },
        ...(body ? { body } : {}),
      });
      expect([asker, answer.statusCode, answer.body.slice(0, 300)]).toEqual([
        asker,
        statusFor(right, asker),
        expect.anything(),
      ]);
      return answer.body;
    };
    const before = await thingsOf(hers);
    expect(before).toContain(SECRET);
    // Members of another workspace see and change nothing of hers, nor do colleagues without the right.
    for (const asker of askers.filter((each) => !isColleague(each) || !isFor(right, each))) {
      if (asker === 'herself') continue;
      const body = await ask(asker);
      // Owners of the installation see its members: names, not their data.
      if (right.for !== 'owners' || asker !== 'operator') expect([asker, body]).not.toContain(SECRET);
      expect(body).not.toContain(`${SECRET} opens`);
    }
    expect(await thingsOf(hers)).toBe(before);
    await ask('herself');
    // The colleague with the least role allowed, and an owner whose data still exists.
    const least = askers.find((each) => isColleague(each) && isFor(right, each));
    if (least && right.for !== 'anybody' && right.for !== 'signed-in')
      await ask(least, await somebodyIn({ app, rooms, mediaStore }));
  },
);
