import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations } from '#server/database/schema';
import { createFakeAntivirus, MALICIOUS } from '#server/engines/antivirus/fake';
import { createFakeOutside } from '#server/engines/outside/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import { agentSchema } from '#shared/agents';
import { auditEntrySchema } from '#shared/audit';
import { errorBodySchema } from '#shared/errors';
import { aConversation } from '../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../tests/support/test-app.ts';

const webm = readFileSync(new URL('../../../tests/fixtures/recordings/opus.webm', import.meta.url));
const away = (what: string) =>
  `Nothing can be scanned for viruses at the moment, so this ${what} was not taken. Please try again in a few minutes.`;
const malicious = (what: string) =>
  `This ${what} is malicious (Test.Malware), so nothing of it was kept. Look for viruses where it comes from, and send a clean one.`;

const aDraft = {
  name: 'Mia',
  companyName: 'Lamps',
  personality: 'Brisk.',
  companyInfo: 'We sell lamps.',
  prompts: [],
};

const scanner = createFakeAntivirus();
const store = createFakeMediaStore();
const html = (text: string) => () =>
  new Response(`<p>${text}</p>`, { headers: { 'content-type': 'text/html' } });
const outside = createFakeOutside({
  'https://shop.example/clean': html('We open at nine.'),
  'https://shop.example/bad': html(MALICIOUS),
});
let app: TestApp;
let address: string;
beforeAll(async () => {
  app = await openTestApp({ engines: { antivirus: scanner, mediaStore: store, outside } });
  address = await app.listen();
});
afterAll(() => app.close());

let owner: { token: string; userId: string; email: string } | undefined;
let agentId: string;
let conversationId: string;
beforeEach(async () => {
  scanner.state = 'here';
  store.files.clear();
  if (owner) return;
  // The first account may read the security log.
  const { token, user } = await app.signUp();
  owner = { token, userId: user._id, email: user.email };
  agentId = agentSchema.parse((await app.as(token, 'POST', '/api/agents', aDraft)).json())._id;
  const conversation = aConversation(user._id);
  await app.database.db.insert(conversations).values(conversation);
  conversationId = conversation.id;
});

const send = (url: string, form: FormData) =>
  fetch(`${address}${url}`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${owner?.token}` },
  });

function sendDocument(text: string) {
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/plain' }), 'hours.txt');
  return send(`/api/agents/${agentId}/documents`, form);
}

/** Appends this to a sound recording. */
function sendRecording(behind = '') {
  const form = new FormData();
  form.append('audio', new Blob([webm, behind], { type: 'audio/webm' }), 'blob');
  form.append('transcript', 'When are you open?');
  return send(`/api/conversations/${conversationId}/audio`, form);
}

const refusal = async (response: Response) => ({
  status: response.status,
  ...errorBodySchema.parse(await response.json()),
});

const documents = async (): Promise<unknown> =>
  (await app.as(owner?.token ?? '', 'GET', `/api/agents/${agentId}/documents`)).json();

describe('what somebody sends', () => {
  it('is taken when the scanner knows nothing against it', async () => {
    const before = scanner.scanned;
    expect((await sendDocument('We are open from nine to five.')).status).toBe(201);
    expect((await sendRecording()).status).toBe(201);
    expect(scanner.scanned).toBe(before + 2);
    expect(store.files.size).toBe(1);
  });

  it('is refused when it is malicious, nothing of it is kept, and owners read of it', async () => {
    const before = await documents();
    expect(await refusal(await sendDocument(`Hours. ${MALICIOUS}`))).toMatchObject({
      status: 422,
      code: 'malicious',
      message: malicious('document'),
    });
    expect(await refusal(await sendRecording(MALICIOUS))).toMatchObject({
      status: 422,
      message: malicious('recording'),
    });
    expect(store.files.size).toBe(0);
    expect(await documents()).toEqual(before);
    const log = (await app.as(owner?.token ?? '', 'GET', '/api/audit')).json();
    const found = auditEntrySchema
      .array()
      .parse(log)
      .filter(({ action }) => action === 'malware-refused');
    expect(found.map(({ subject, actor }) => [subject, actor])).toEqual([
      ['recording: Test.Malware', owner?.email],
      ['document: Test.Malware', owner?.email],
    ]);
  });

  it('is refused in words while nobody can scan it, and taken once somebody can', async () => {
    scanner.state = 'away';
    expect(await refusal(await sendDocument('Hours.'))).toMatchObject({
      status: 503,
      message: away('document'),
    });
    expect(await refusal(await sendRecording())).toMatchObject({ status: 503, message: away('recording') });
    expect(store.files.size).toBe(0);
    scanner.state = 'here';
    expect((await sendRecording()).status).toBe(201);
  });

  it('is refused where it is more than the scanner takes', async () => {
    scanner.state = 'small';
    expect(await refusal(await sendDocument('Hours.'))).toMatchObject({
      status: 413,
      message: 'This document is larger than the virus scanner here takes. Send a smaller one.',
    });
  });
});

describe('a page that is read for somebody', () => {
  const preview = (url: string) =>
    app.as(owner?.token ?? '', 'POST', `/api/agents/${agentId}/documents/preview`, { url });

  it('is scanned before anything of it is read', async () => {
    expect((await preview('https://shop.example/clean')).statusCode).toBe(200);
    const refused = await preview('https://shop.example/bad');
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { message: malicious('page') }]);
    scanner.state = 'away';
    const waits = await preview('https://shop.example/clean');
    expect([waits.statusCode, waits.json()]).toMatchObject([503, { message: away('page') }]);
  });
});

it('is named by /ready while the scanner is away, and nothing else waits', async () => {
  scanner.state = 'away';
  await expect
    .poll(async () => (await app.server.inject('/ready')).json())
    .toEqual({
      status: 'ready',
      degraded: { antivirus: 'The antivirus scanner does not answer: no file is taken until it does.' },
    });
});
