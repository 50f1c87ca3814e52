import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedIn } from '#shared/accounts';
import { defaultPreferences } from '#shared/preferences';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { PreferencesRepository } from './repository.ts';
import { PreferencesService } from './service.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await openTestApp();
  ada = await app.signUp();
});
afterAll(() => app.close());

const get = async (who = ada) => (await app.as(who.token, 'GET', '/api/preferences')).json();
const put = (body: object, who = ada) => app.as(who.token, 'PUT', '/api/preferences', body);

describe('preferences', () => {
  it('are the defaults until something is settled', async () => {
    const newcomer = await app.signUp();
    expect(await get(newcomer)).toEqual(defaultPreferences);
    expect((await put({}, newcomer)).json()).toEqual(defaultPreferences);
  });

  it('let nobody’s voice go to the maker of a browser who has not chosen that', async () => {
    const newcomer = await app.signUp();
    expect((await get(newcomer)).recognition).toBe('server');
    await put({ soundCues: false }, newcomer);
    expect((await get(newcomer)).recognition).toBe('server');
  });

  it('stay settled, also when everything is sent again', async () => {
    const wanted = { keepRecordings: false, recognition: 'server', soundCues: false };
    for (const _again of [1, 2]) {
      const answer = await put(wanted);
      expect([answer.statusCode, answer.json()]).toEqual([200, wanted]);
    }
    expect(await get()).toEqual(wanted);
  });

  it('change one by one without undoing each other, also at the same moment', async () => {
    const bea = await app.signUp();
    await Promise.all([
      put({ keepRecordings: false }, bea),
      put({ recognition: 'automatic' }, bea),
      put({ soundCues: false }, bea),
    ]);
    expect(await get(bea)).toEqual({ keepRecordings: false, recognition: 'automatic', soundCues: false });
    await put({ soundCues: true }, bea);
    expect(await get(bea)).toEqual({ keepRecordings: false, recognition: 'automatic', soundCues: true });
  });

  it('belong to one user', async () => {
    const [one, other] = [await app.signUp(), await app.signUp()];
    await put({ keepRecordings: false }, one);
    expect(await get(other)).toEqual(defaultPreferences);
  });

  it.each([
    [{ keepRecordings: 'no' }, 'keepRecordings'],
    [{ recognition: 'elsewhere' }, 'recognition'],
    [{ soundCues: null }, 'soundCues'],
  ])('refuse %o and stay as they are', async (body, field) => {
    const before = await get();
    const answer = await put(body);
    expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, [field]]);
    expect(await get()).toEqual(before);
  });

  it('keep speech on this server where the operator wants it, until they do not', async () => {
    const eve = await app.signUp();
    const strict = new PreferencesService(new PreferencesRepository(app.database.db), {
      audioStaysHere: true,
    });
    expect((await strict.of(eve.user._id)).recognition).toBe('server');
    expect((await strict.change(eve.user._id, { recognition: 'automatic' })).recognition).toBe('server');
    expect((await get(eve)).recognition).toBe('automatic');
  });

  it('need somebody signed in', async () => {
    expect((await app.server.inject('/api/preferences')).statusCode).toBe(401);
    expect((await app.server.inject({ method: 'PUT', url: '/api/preferences', body: {} })).statusCode).toBe(
      401,
    );
  });

  it('hold at once on every instance', async () => {
    const cleo = await app.signUp();
    const here = new PreferencesService(new PreferencesRepository(app.database.db));
    const there = new PreferencesService(new PreferencesRepository(app.database.db));
    expect((await there.of(cleo.user._id)).keepRecordings).toBe(true);
    await here.change(cleo.user._id, { keepRecordings: false });
    expect((await there.of(cleo.user._id)).keepRecordings).toBe(false);
  });

  it('that are asked for while they change are the new ones for whoever asks afterwards', async () => {
    const dora = (await app.signUp()).user._id;
    const service = new PreferencesService(new PreferencesRepository(app.database.db));
    const before = service.of(dora);
    await service.change(dora, { soundCues: false });
    expect((await service.of(dora)).soundCues).toBe(false);
    await before;
  });
});
