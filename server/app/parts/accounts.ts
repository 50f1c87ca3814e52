import type { Database } from '#server/database/open';
import type { IdentityProvider } from '#server/engines/identity/contract';
import type { MailEngine } from '#server/engines/mail/contract';
import { HeldAccounts } from '#server/features/accounts/federation/held-accounts';
import { FederationRepository } from '#server/features/accounts/federation/repository';
import { federationRoutes } from '#server/features/accounts/federation/routes';
import { FederationService } from '#server/features/accounts/federation/service';
import { MembersRepository } from '#server/features/accounts/members/repository';
import { membersRoutes } from '#server/features/accounts/members/routes';
import { MembersService } from '#server/features/accounts/members/service';
import type { Passwords } from '#server/features/accounts/passwords';
import { createProof } from '#server/features/accounts/proof';
import { RecoveryRepository } from '#server/features/accounts/recovery/repository';
import { recoveryRoutes } from '#server/features/accounts/recovery/routes';
import { RecoveryService } from '#server/features/accounts/recovery/service';
import { RegistrationRepository } from '#server/features/accounts/registration/repository';
import { registrationRoutes } from '#server/features/accounts/registration/routes';
import { RegistrationService } from '#server/features/accounts/registration/service';
import type { AccountsRepository } from '#server/features/accounts/repository';
import { accountsRoutes } from '#server/features/accounts/routes';
import { SecondFactorRepository } from '#server/features/accounts/second-factor/repository';
import { secondFactorRoutes } from '#server/features/accounts/second-factor/routes';
import { SecondFactorService } from '#server/features/accounts/second-factor/service';
import { createAccountsService } from '#server/features/accounts/service';
import { sessionsRoutes } from '#server/features/accounts/sessions/routes';
import type { SessionsService } from '#server/features/accounts/sessions/service';
import { createSignInLimits } from '#server/features/accounts/sign-in-limits';
import type { RefusedAccess } from '#server/features/audit/refused-access';
import type { AuditService } from '#server/features/audit/service';
import type { LimiterFactory } from '#server/lib/rate-limits';
import type { Seal } from '#server/lib/seal';
import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';

interface AccountsParts {
  db: Database['db'];
  config: Pick<Config, 'publicUrl'> & Partial<Pick<Config, 'registration'>>;
  sessions: SessionsService;
  audit: AuditService;
  refusedAccess: RefusedAccess;
  seal: Seal;
  repository: AccountsRepository;
  /** Password hashing. */
  passwords: Passwords;
  /** Null: no mail. */
  mail: MailEngine | null;
  /** Null: sign-in by password only. */
  identity: IdentityProvider | null;
  /** Deletes the data of a deleted account, in this order. */
  belongings: ConstructorParameters<typeof MembersService>[0]['belongings'];
  /** Deletes the data of a workspace whose last member is deleted. */
  belongingsOfWorkspace: ConstructorParameters<typeof MembersService>[0]['belongingsOfWorkspace'];
  /** Stops what an account runs on its own, such as its agents in live rooms. */
  onHeld(userId: string): Promise<void>;
  /** Counters of attempts; null: no limits. */
  limiters: LimiterFactory | null;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** Connects all parts of accounts: users, ways to sign in, and registration. */
export function openAccounts(parts: AccountsParts) {
  const { db, config, sessions, audit, refusedAccess, seal, mail, identity, logger } = parts;
  const { repository, passwords } = parts;
  const limits = parts.limiters && createSignInLimits(parts.limiters);
  const members = new MembersService({
    repository: new MembersRepository(db),
    sessions,
    audit,
    belongings: parts.belongings,
    belongingsOfWorkspace: parts.belongingsOfWorkspace,
  });
  const registration = new RegistrationService({
    repository: new RegistrationRepository(db),
    audit,
    usually: config.registration ?? 'open',
  });
  const prove = createProof({ repository, passwords, limits, audit, sessions });
  const secondFactor = new SecondFactorService({
    repository: new SecondFactorRepository(db),
    seal,
    prove,
    sessions,
    audit,
    limits,
  });
  const accounts = createAccountsService({
    repository,
    sessions,
    registration,
    members,
    audit,
    onTooMany: (actor, address) =>
      refusedAccess.note({ kind: 'sign-in', actor, subject: 'sign-in: too many attempts', address }),
    passwords,
    prove,
    secondFactor,
    seal,
    limits,
  });
  const pageUrl = config.publicUrl;
  const identities = new FederationRepository(db);
  const federation = new FederationService({
    repository: identities,
    held: new HeldAccounts({
      repository: identities,
      members,
      sessions,
      audit,
      onHeld: parts.onHeld,
    }),
    accounts,
    users: repository,
    registration,
    sessions,
    audit,
    seal,
    limits,
    federation: identity && pageUrl ? { provider: identity, pageUrl } : null,
    onFailure: (error) => logger.warn({ err: error }, 'a sign-in at the identity provider failed'),
  });
  const recovery = new RecoveryService({
    repository: new RecoveryRepository(db),
    accounts: repository,
    sessions,
    audit,
    passwords,
    limits,
    post: mail && pageUrl ? { mail, pageUrl } : null,
    onFailure: (error) => logger.error({ err: error }, 'a link to a new password was not sent'),
  });
  return {
    routes: [
      accountsRoutes(accounts, { passwordReset: recovery.isOffered, provider: federation.label }),
      recoveryRoutes(recovery),
      federationRoutes(federation),
      secondFactorRoutes(secondFactor),
      sessionsRoutes(sessions, accounts),
      membersRoutes(members),
      registrationRoutes(registration, pageUrl),
    ],
    identitiesOf: (userId: string) => identities.identitiesOf(userId),
    /** Deletes expired rows. */
    async cleanUp() {
      await accounts.forgetAddresses();
      await registration.removeExpired();
      await recovery.removeExpired();
      await federation.removeExpired();
    },
    close: () => recovery.close(),
  };
}
