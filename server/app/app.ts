import type { FastifyInstance } from 'fastify';
import type { AppParts } from '#server/app/app-parts';
import { startHousekeeping } from '#server/app/housekeeping';
import { Bell } from '#server/events/bell';
import { endConnections } from '#server/http/end-connections';
import { keptForAMoment } from '#server/http/health-routes';
import { removeExpiredAnswers } from '#server/http/idempotency/hook';
import { IdempotencyRepository } from '#server/http/idempotency/repository';
import { diskSpaceOf } from '#server/lib/disk-space';
import { TextQuota } from '#server/lib/text-quota';
import type { Config } from '#server/settings/config';
import { noMetrics } from '#server/telemetry/metrics';
import { openAccounts } from './parts/accounts.ts';
import { openCalls } from './parts/calls.ts';
import { openConversations } from './parts/conversations.ts';
import { openEngineSettings } from './parts/engines.ts';
import { openHttp } from './parts/http.ts';
import { openInsights } from './parts/insights.ts';
import { openKnowledge } from './parts/knowledge.ts';
import { openRealtime } from './parts/realtime.ts';
import { openSecurity } from './parts/security.ts';

export interface App {
  server: FastifyInstance;
  /** Applies the current settings to the engines and returns them. Rejects if saved settings cannot be read. */
  takeUpSettings(): Promise<Config>;
  /**
   * Stops taking requests, lets running turns finish, then ends every connection. Engines and database stay open: their
   * creator closes them.
   * @param drainMs how long turns may take to finish, in milliseconds
   */
  close(drainMs?: number): Promise<void>;
}

/** Computing the total of recordings reads all of them. */
const TOTALS_MS = 60_000;
/** Two counters are read from it. */
const LAG_MS = 1_000;
const DRAIN_MS = 10_000;
const GRACE_MS = 1_000;

/** Connects the parts. `main` passes the real ones and listens; tests pass fakes. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, database, engines, dialogue, logger, metrics = noMetrics } = parts;
  const { db } = database;
  const { sharedState } = engines;
  const bell = new Bell(sharedState);
  const texts = new TextQuota(sharedState.limiters, config.quotas?.charactersPerDay);
  const security = await openSecurity(parts);
  const { sessions, audit, refusedAccess, seal } = security;
  const knowledge = openKnowledge(parts, security, { bell, texts });
  const kept = await openConversations(parts, security, knowledge, { bell, texts });
  const answering = await openCalls(parts, security, knowledge, kept);
  const { calls, speech, rooms } = answering;
  const insights = openInsights(parts, knowledge, kept, answering, bell);
  const accounts = openAccounts({
    ...{ db, config, sessions, audit, refusedAccess, seal, logger },
    repository: security.accounts,
    passwords: security.passwords,
    mail: engines.mail,
    identity: engines.identity,
    belongings: [(scope) => kept.conversations.deleteAll(scope)],
    belongingsOfWorkspace: [(scope) => knowledge.agents.deleteAll(scope)],
    onHeld: (userId) => rooms.accountHeld(userId),
    limiters: config.rateLimit ? sharedState.limiters : null,
  });
  const { environment } = parts;
  const engineSettings = openEngineSettings({ db, seal, engines, dialogue, audit, environment, logger });
  const idempotency = new IdempotencyRepository(db);
  const housekeeping = startHousekeeping({
    database,
    logger,
    endSessions: () => sessions.endExpired(),
    removeExpired: [
      () => accounts.cleanUp(),
      () => audit.removeOld(),
      () => removeExpiredAnswers(idempotency),
    ],
    removeOld: async () => {
      await kept.removeOld();
      await insights.outbox.removeOld();
    },
    takeUpDocuments: () => knowledge.documents.takeUp(),
  });
  const http = await openHttp(parts, {
    ...{ security, accounts, engineSettings, knowledge, insights, idempotency },
    ...{ conversations: kept, calls: answering },
    onListening: housekeeping.listening,
  });
  const { server } = http;
  const { realtime, detach } = openRealtime(parts, security, answering, http);
  const { dataDir } = config;
  metrics.show({
    turns: () => calls.turnsUnderWay,
    speakers: () => speech.seats,
    rooms: () => rooms.seats,
    participants: () => rooms.seats.people,
    sockets: () => realtime.sockets,
    database: () => {
      const { totalCount: open, idleCount: idle, waitingCount: waiting } = database.pool;
      return { open, idle, waiting };
    },
    ...(dataDir === undefined ? {} : { diskFree: async () => (await diskSpaceOf(dataDir)).free }),
    recordings: keptForAMoment(kept.recordingTotals, Date.now, TOTALS_MS),
    events: keptForAMoment(() => insights.outbox.lag(), Date.now, LAG_MS),
  });
  await insights.outbox.start();

  let closing: Promise<void> | undefined;
  const close = async (drainMs: number) => {
    housekeeping.stop();
    await kept.stopRemoving();
    answering.tryOuts.close();
    knowledge.effects.close();
    knowledge.writingHelp.close();
    // Stops taking new connections; resolves when the last one has ended.
    const closed = server.close();
    await rooms.close();
    await accounts.close();
    await speech.close();
    realtime.letGo((account) => calls.isAnswering(account));
    await calls.close(drainMs);
    await insights.outbox.close();
    await answering.modelUse.settled();
    await answering.actions.close();
    await knowledge.documents.close();
    await kept.sentiment.close();
    await insights.unanswered.close();
    await realtime.close();
    detach();
    await endConnections(server.server, GRACE_MS);
    await closed;
    await kept.recordings.close(GRACE_MS);
  };
  return {
    server,
    takeUpSettings: engineSettings.takeUp,
    close(drainMs = DRAIN_MS) {
      closing ??= close(drainMs);
      return closing;
    },
  };
}
