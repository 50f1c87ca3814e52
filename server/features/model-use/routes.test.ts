import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDialogue } from '#server/dialogue/respond';
import { createFakeLanguage } from '#server/engines/language/fake';
import { readConfig } from '#server/settings/config';
import type { SignedIn } from '#shared/accounts';
import { fakeEngineControls } from '../../../tests/support/fake-engine-controls.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const language = createFakeLanguage(() => 'We open at nine.');
const dialogue = createDialogue({ models: () => [language], reading: null });
const modelUse = { prices: [{ model: 'fake-model', input: 1, output: 2 }], tokensPerDay: 150 };
const controls = fakeEngineControls({ inUse: { ...readConfig({}), modelUse } });
let app: TestApp;
let owner: SignedIn;
let member: SignedIn;
beforeAll(async () => {
  // Fixes the date, so that no day or month ends during the test.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') });
  app = await openTestApp({ dialogue, engines: { controls } });
  owner = await app.signUp();
  member = await app.signUp();
});
afterAll(async () => {
  vi.useRealTimers();
  await app.close();
  await dialogue.close();
});

const agent = {
  name: 'Mia',
  companyName: 'Contoso',
  personality: 'Brisk.',
  companyInfo: '# Hours\n\nWe open at nine on weekdays.',
  prompts: [],
};
const tried = async () => {
  const asked = { agent, message: 'When do you open?', voice: false };
  return (await app.as(member.token, 'POST', '/api/agents/try', asked)).json().message;
};
const usage = async ({ token }: SignedIn) => (await app.as(token, 'GET', '/api/insights/usage')).json();

it('answers with a model until the day is spent, then with the reader, and says so to both', async () => {
  expect(await tried()).toBe('We open at nine.');
  const row = {
    month: '2026-11',
    model: 'fake-model',
    turns: 1,
    input: 100,
    output: 4,
    cost: 0.000_108,
  };
  await expect.poll(async () => (await usage(member)).months).toEqual([row]);
  expect(await usage(owner)).toEqual({
    scope: 'installation',
    months: [row],
    today: { tokens: 104, limit: 150, isSpent: false },
  });
  await tried();
  expect(language.requests).toHaveLength(2);
  expect(await tried()).toContain('nine on weekdays');
  expect(language.requests).toHaveLength(2);
  await expect
    .poll(async () => (await usage(member)).today)
    .toEqual({
      tokens: 208,
      limit: null,
      isSpent: true,
    });
  const warnings = app.logs().filter(({ msg }) => String(msg).startsWith('the tokens of this day'));
  expect(warnings).toMatchObject([{ tokens: 208 }]);
});
