import type { LightMyRequestResponse } from 'fastify';
import { type App, createApp } from '#server/app/app';
import type { AppParts } from '#server/app/app-parts';
import type { Database } from '#server/database/open';
import { createDialogue } from '#server/dialogue/respond';
import type { Engines } from '#server/engines/index';
import { type Role, type SignedIn, signedInSchema } from '#shared/accounts';
import { newInvitationSchema } from '#shared/members';
import { aRegistration } from '../factories.ts';
import { capturedLogger } from './captured-logger.ts';
import { PATIENT } from './engine-ready.ts';
import { fakeEngines } from './fake-engines.ts';
import { quickPasswords } from './quick-passwords.ts';
import { openTestDatabase, type TestDatabase, withEmpty } from './test-database.ts';

export interface TestApp extends App {
  database: TestDatabase;
  /** All log lines so far, parsed. */
  logs(): Record<string, unknown>[];
  /** Listens on a free port of this machine, for sockets and real clients. @returns http://127.0.0.1:port */
  listen(): Promise<string>;
  signUp(changes?: Partial<Parameters<typeof aRegistration>[0]>): Promise<SignedIn>;
  /** Makes an account in an owner's workspace, by invitation. */
  join(owner: SignedIn, role: Role, changes?: { name?: string; email?: string }): Promise<SignedIn>;
  /** A request with a bearer token. */
  as(
    token: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
}

type TestAppChanges = Partial<Omit<AppParts, 'engines' | 'database'>> & {
  engines?: Partial<Engines>;
  /** A database that outlives this app. */
  database?: Database;
};

/**
 * The whole app as `main` builds it, on a fresh database of its own, with fake engines and without rate
 * limits unless a test replaces parts. `close` closes everything.
 */
export async function openTestApp(changes: TestAppChanges = {}): Promise<TestApp> {
  const database = changes.database ? withEmpty(changes.database) : await openTestDatabase();
  const engines = fakeEngines(changes.engines);
  const log = capturedLogger();
  const dialogue = createDialogue({ ...PATIENT, reading: engines.reading });
  const app = await createApp({
    config: { publicUrl: null, corsOrigins: [], rateLimit: false },
    dialogue,
    logger: log.logger,
    environment: {},
    passwords: quickPasswords,
    // A busy machine is slow, not wrong.
    effectsWithinMs: 600_000,
    ...changes,
    database,
    engines,
  });
  const as: TestApp['as'] = (token, method, url, body, headers = {}) =>
    app.server.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body ? { body } : {}),
    });
  const signUp: TestApp['signUp'] = async (registration = {}) => {
    const body = aRegistration(registration);
    const response = await app.server.inject({ method: 'POST', url: '/api/auth/register', body });
    return signedInSchema.parse(response.json());
  };
  return {
    ...app,
    database,
    logs: log.lines,
    listen: () => app.server.listen({ host: '127.0.0.1', port: 0 }),
    signUp,
    async join(owner, role, changes = {}) {
      const { email } = aRegistration(changes);
      const invited = await as(owner.token, 'POST', '/api/invitations', { email, role });
      const { hash } = new URL(newInvitationSchema.parse(invited.json()).link);
      const invitation = new URLSearchParams(hash.slice(1)).get('invitation') ?? '';
      return signUp({ ...changes, email, invitation });
    },
    as,
    async close() {
      await app.close(1_000);
      await dialogue.close();
      if (!changes.database) await database.close();
    },
  };
}
