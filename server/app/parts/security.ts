import type { AppParts } from '#server/app/app-parts';
import { openSeal } from '#server/database/secrets';
import { createPasswords } from '#server/features/accounts/passwords';
import { AccountsRepository } from '#server/features/accounts/repository';
import { SessionsRepository } from '#server/features/accounts/sessions/repository';
import { SessionsService } from '#server/features/accounts/sessions/service';
import { createSessionEnds } from '#server/features/accounts/sessions/session-ends';
import { RefusedAccess } from '#server/features/audit/refused-access';
import { AuditRepository } from '#server/features/audit/repository';
import { AuditService } from '#server/features/audit/service';
import { KeysRepository } from '#server/features/keys/repository';
import { KeysService } from '#server/features/keys/service';
import { ScansService } from '#server/features/scans/service';
import { memberIn, type Principal } from '#server/lib/principal';
import type { User } from '#shared/accounts';

export type Security = Awaited<ReturnType<typeof openSecurity>>;

/** Connects the parts that all others trust: the security log, sessions, sealing, and the scanning of files. */
export async function openSecurity(parts: AppParts) {
  const { config, engines, logger, passwords } = parts;
  const { db } = parts.database;
  const audit = new AuditService(new AuditRepository(db), (error) =>
    logger.error({ err: error }, 'the security log could not be written'),
  );
  const refusedAccess = new RefusedAccess(audit);
  const refusedFiles = new RefusedAccess(audit, { action: 'malware-refused' });
  const accounts = new AccountsRepository(db);
  const sessions = new SessionsService({
    repository: new SessionsRepository(db),
    audit,
    ends: createSessionEnds(engines.sharedState),
    ...(config.sessionIdleMs === undefined ? {} : { idleMs: config.sessionIdleMs }),
  });
  const keys = new KeysService({
    repository: new KeysRepository(db),
    audit,
    onFailure: (error) => logger.warn({ err: error }, 'the last use of a key could not be stored'),
  });
  return {
    audit,
    keys,
    refusedAccess,
    accounts,
    passwords: passwords ?? createPasswords(),
    seal: await openSeal(db),
    sessions,
    authenticate: async (token: string): Promise<Principal | null> => {
      const session = await sessions.authenticate(token);
      if (session) return memberIn(session);
      return (await keys.authenticate(token)) ?? (await parts.authenticate?.(token)) ?? null;
    },
    scans: new ScansService({
      antivirus: engines.antivirus,
      onMalicious: (found) => refusedFiles.note({ kind: 'file', ...found }),
      emailOf: async (userId) => (await accounts.find(userId))?.email ?? '',
    }),
    onForbidden: (user: User, asked: string, address: string) =>
      refusedAccess.note({
        kind: 'access',
        actor: { id: user._id, email: user.email },
        subject: asked,
        address,
      }),
  };
}
