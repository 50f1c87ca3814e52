import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditLog, passwordResets } from '#server/database/schema';
import type { MailEngine } from '#server/engines/mail/contract';
import { createSmtp } from '#server/engines/mail/smtp';
import { AuditRepository } from '#server/features/audit/repository';
import { AuditService } from '#server/features/audit/service';
import { memoryLimiters } from '#server/lib/rate-limits';
import { aPassword } from '../../../../tests/factories.ts';
import { type MailServer, openMailServer, openSilentServer } from '../../../../tests/support/mail-server.ts';
import { quickPasswords } from '../../../../tests/support/quick-passwords.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { AccountsRepository } from '../repository.ts';
import { SessionsRepository } from '../sessions/repository.ts';
import { SessionsService } from '../sessions/service.ts';
import { createSignInLimits } from '../sign-in-limits.ts';
import { RecoveryRepository } from './repository.ts';
import { newResetLink } from './reset-links.ts';
import { RecoveryService } from './service.ts';

const publicUrl = 'https://care.example.com/';
const newPassword = 'another horse, another battery';
let post: MailServer;
let app: TestApp;
const opened: { close(): Promise<void> }[] = [];

const withMail = (mail: MailEngine | null) =>
  openTestApp({ engines: { mail }, config: { publicUrl, corsOrigins: [], rateLimit: false } });
const smtp = (url: string) => createSmtp({ url, from: 'care@example.com', patienceMs: 300 });

beforeAll(async () => {
  post = await openMailServer();
  app = await withMail(createSmtp({ url: post.url, from: 'care@example.com' }));
});
afterAll(async () => {
  await app.close();
  await post.close();
});
beforeEach(() => app.database.empty());
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const ask = (email: string, to = app) =>
  to.server.inject({ method: 'POST', url: '/api/auth/password-reset', body: { email } });
const confirm = (token: string, password = newPassword) =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/password-reset/confirm',
    body: { token, newPassword: password },
  });
const login = (email: string, password: string) =>
  app.server.inject({ method: 'POST', url: '/api/auth/login', body: { email, password } });

async function aLink(email: string): Promise<string> {
  expect((await ask(email)).statusCode).toBe(202);
  const { letter } = await post.next();
  return /reset-password#token=([\w-]+)/.exec(letter)?.[1] ?? '';
}

describe('a new password by e-mail', () => {
  it('comes as a letter, as text and as HTML, to the address of the account', async () => {
    await app.signUp({ email: 'ada@example.com', name: '<b>Ada</b> http://evil.example' });
    await ask(' ADA@example.com ');
    const { to, from, letter } = await post.next();
    expect([to, from]).toEqual([['ada@example.com'], 'care@example.com']);
    expect(letter).toMatch(/^Subject: Choose a new password\r$/m);
    const links = letter.match(/https?:\/\/[^\s"<]+/g) ?? [];
    expect(links).toHaveLength(2);
    expect(new Set(links).size).toBe(1);
    expect(links[0]).toMatch(/^https:\/\/care\.example\.com\/reset-password#token=[\w-]{43}$/);
    expect(letter).toContain('Content-Type: text/plain');
    expect(letter).toContain('Content-Type: text/html');
    expect(letter).toContain('for 30 minutes');
    expect(letter).not.toContain('evil');
  });

  it('sets the password once, and ends every session', async () => {
    const { token: session } = await app.signUp({ email: 'ada@example.com' });
    const [first, second] = [await aLink('ada@example.com'), await aLink('ada@example.com')];
    const stored = JSON.stringify(await app.database.db.select().from(passwordResets));
    expect(stored).not.toContain(first);
    expect((await confirm(first)).statusCode).toBe(204);
    expect((await app.as(session, 'GET', '/api/auth/me')).statusCode).toBe(401);
    expect((await login('ada@example.com', aPassword)).statusCode).toBe(401);
    expect((await login('ada@example.com', newPassword)).statusCode).toBe(200);
    for (const used of [first, second]) {
      const again = await confirm(used, 'a third horse, a third battery');
      expect([again.statusCode, again.json().message]).toEqual([
        400,
        'This link has been used or has expired. Ask for a new one.',
      ]);
    }
    const log = await app.database.db.select().from(auditLog);
    expect(
      log.flatMap(({ action, subject }) => (action === 'password-reset' ? [subject] : [])).sort(),
    ).toEqual(['asked for a link', 'asked for a link', null]);
  });

  it('is set once by two who use the same link at the same moment', async () => {
    await app.signUp({ email: 'ada@example.com' });
    const token = await aLink('ada@example.com');
    const answers = await Promise.all([1, 2, 3].map((n) => confirm(token, `${newPassword} ${n}`)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 400, 400]);
  });

  it('is refused when it is too easy to guess, and the link still works', async () => {
    await app.signUp({ email: 'ada@example.com', name: 'Ada Lovelace' });
    const token = await aLink('ada@example.com');
    for (const easy of ['password1', 'lovelace2026', 'short']) {
      const refused = await confirm(token, easy);
      expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, ['newPassword']]);
    }
    expect((await confirm(token)).statusCode).toBe(204);
  });

  it('lasts for half an hour', async () => {
    await app.signUp({ email: 'ada@example.com' });
    const token = await aLink('ada@example.com');
    const [row] = await app.database.db.select().from(passwordResets);
    const left = (row?.expiresAt.getTime() ?? 0) - Date.now();
    expect(left).toBeGreaterThan(29 * 60_000);
    expect(left).toBeLessThanOrEqual(30 * 60_000);
    await app.database.db.update(passwordResets).set({ expiresAt: new Date(Date.now() - 1) });
    expect((await confirm(token)).statusCode).toBe(400);
  });

  it('is answered the same for an address without an account, to which nothing is sent', async () => {
    await app.signUp({ email: 'ada@example.com' });
    const [known, unknown] = [await ask('ada@example.com'), await ask('nobody@example.com')];
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    expect((await post.next()).to).toEqual(['ada@example.com']);
    await ask('ada@example.com');
    expect((await post.next()).to).toEqual(['ada@example.com']);
  });

  it('is sent through another server, or with another password, once that changed', async () => {
    const other = await openMailServer();
    const mail = smtp('smtp://127.0.0.1:9');
    const letter = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
    await expect(mail.send(letter)).rejects.toMatchObject({ name: 'MailError' });
    mail.takeUrl(other.url);
    await mail.send(letter);
    expect((await other.next()).to).toEqual(['ada@example.com']);
    await other.close();
  });

  it('is looked up only after the answer: the time that takes says nothing', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const sent: string[] = [];
    const slow = await withMail({
      async check() {},
      takeUrl() {},
      async send({ to }) {
        await held;
        sent.push(to);
      },
    });
    opened.push(slow);
    await slow.signUp({ email: 'ada@example.com' });
    expect((await ask('ada@example.com', slow)).statusCode).toBe(202);
    expect(sent).toEqual([]);
    letGo();
    await expect.poll(() => sent).toEqual(['ada@example.com']);
  });

  it.each(['', 'x'.repeat(44), "';--"])('is not set by %j', async (token) => {
    expect((await confirm(token)).statusCode).toBe(400);
  });
});

describe('a mail server', () => {
  const sentence = 'E-mail cannot be sent at the moment. Please try again in a few minutes.';

  it.each([
    ['hangs', openSilentServer],
    ['is away', aClosedPort],
  ])('that %s is told in one sentence, to whomever, and logged', async (_what, open) => {
    const server = await open();
    const away = await withMail(smtp(server.url));
    opened.push(server, away);
    await away.signUp({ email: 'ada@example.com' });
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const answer = await ask(email, away);
      expect([answer.statusCode, answer.json().message]).toEqual([503, sentence]);
    }
    const logged = away.logs().filter(({ msg }) => msg === 'request failed');
    expect(logged).toHaveLength(2);
    expect(JSON.stringify(logged)).not.toMatch(/example\.com|127\.0\.0\.1/);
  });

  it('that refuses a letter is logged without the address, and nobody is told', async () => {
    const refusing = await openMailServer({ refuses: true });
    const told = await withMail(smtp(refusing.url));
    opened.push(refusing, told);
    await told.signUp({ email: 'ada@example.com' });
    expect((await ask('ada@example.com', told)).statusCode).toBe(202);
    const failures = () => told.logs().filter(({ msg }) => msg === 'a link to a new password was not sent');
    await expect.poll(failures).toHaveLength(1);
    expect(failures()[0]).toMatchObject({ err: { type: 'MailError', code: 'EENVELOPE 550' } });
    expect(JSON.stringify(told.logs())).not.toContain('ada@example.com');
  });

  it('that is none offers no links', async () => {
    const without = await withMail(null);
    opened.push(without);
    const options = async (of: TestApp) => (await of.server.inject('/api/auth/options')).json();
    expect([(await options(without)).passwordReset, (await options(app)).passwordReset]).toEqual([
      false,
      true,
    ]);
    expect((await ask('ada@example.com', without)).statusCode).toBe(202);
  });
});

describe('where many ask for one account', () => {
  let clock: number;
  let fails: boolean;
  let sent: string[];
  let recovery: RecoveryService;
  beforeEach(() => {
    [clock, fails, sent] = [Date.now(), false, []];
    const { db } = app.database;
    const audit = new AuditService(new AuditRepository(db), () => {});
    recovery = new RecoveryService({
      repository: new RecoveryRepository(db),
      accounts: new AccountsRepository(db),
      sessions: new SessionsService({ repository: new SessionsRepository(db), audit }),
      audit,
      passwords: quickPasswords,
      limits: createSignInLimits(memoryLimiters),
      post: {
        mail: {
          async check() {},
          takeUrl() {},
          async send({ text }) {
            if (fails) throw new Error('The letter was refused.');
            sent.push(/token=([\w-]+)/.exec(text)?.[1] ?? '');
          },
        },
        pageUrl: publicUrl,
      },
      onFailure: () => {},
      now: () => clock,
    });
  });
  const ask = async (address: string) => {
    await recovery.ask('ada@example.com', { address, userAgent: null });
    await recovery.close();
  };
  const minutes = (count: number) => {
    clock += count * 60_000;
  };
  const use = (token: string) =>
    recovery.confirm({ token, newPassword }, { address: '203.0.113.7', userAgent: null });

  it('its person is answered like anybody, and finds a letter whose link works for twenty minutes at least', async () => {
    await app.signUp({ email: 'ada@example.com' });
    for (let n = 0; n < 30; n++) await ask(`198.51.100.${n}`);
    minutes(9);
    await ask('203.0.113.7');
    expect(sent).toHaveLength(1);
    minutes(20);
    await use(sent[0] ?? '');
    expect((await login('ada@example.com', newPassword)).statusCode).toBe(200);
  });

  it('a letter comes every ten minutes at most, and at once after the link was used or the password changed', async () => {
    const { token } = await app.signUp({ email: 'ada@example.com' });
    await ask('198.51.100.1');
    minutes(10);
    await ask('198.51.100.2');
    expect(sent).toHaveLength(2);
    await app.as(token, 'PUT', '/api/auth/password', { currentPassword: aPassword, newPassword });
    await expect(use(sent[1] ?? '')).rejects.toMatchObject({ code: 'invalid-input' });
    await ask('198.51.100.3');
    expect(sent).toHaveLength(3);
    await use(sent[2] ?? '');
    await ask('198.51.100.4');
    expect(sent).toHaveLength(4);
  });

  it('a letter that could not be sent, and a link from the operator, stand in the way of none', async () => {
    const { user } = await app.signUp({ email: 'ada@example.com' });
    await app.database.db.insert(passwordResets).values(newResetLink(user._id, publicUrl, clock).row);
    fails = true;
    await ask('198.51.100.1');
    fails = false;
    await ask('203.0.113.7');
    expect(sent).toHaveLength(1);
  });

  it('each who asks may do so a few times an hour, for this account and for all', async () => {
    const tries = async (count: number, of: (n: number) => [string, string]) => {
      let taken = 0;
      for (let n = 0; n < count; n++) {
        const [email, address] = of(n);
        taken += await recovery.ask(email, { address, userAgent: null }).then(
          () => 1,
          () => 0,
        );
      }
      return taken;
    };
    expect(await tries(30, (n) => ['ada@example.com', `10.0.0.${n}`])).toBe(30);
    expect(await tries(10, () => ['ada@example.com', '10.0.0.1'])).toBe(4);
    expect(await tries(30, (n) => [`${n}@example.com`, '10.0.1.1'])).toBe(20);
  });
});

/** An address without a listener. */
async function aClosedPort(): Promise<Awaited<ReturnType<typeof openSilentServer>>> {
  const server = await openSilentServer();
  await server.close();
  return { url: server.url, close: async () => {} };
}
