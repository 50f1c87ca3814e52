import type { FastifyInstance } from 'fastify';
import { startHousekeeping } from '#server/app/housekeeping';
import { openAccounts } from '#server/app/parts/accounts';
import { openEngineSettings } from '#server/app/parts/engines';
import { readiness, serverStatus, troubleInRooms } from '#server/app/status';
import type { Database } from '#server/database/open';
import { openSeal } from '#server/database/secrets';
import type { Dialogue } from '#server/dialogue/contract';
import type { Engines } from '#server/engines/index';
import { Bell } from '#server/events/bell';
import { Outbox } from '#server/events/outbox';
import { EventsRepository } from '#server/events/repository';
import { subscriptions } from '#server/events/subscriptions';
import type { Passwords } from '#server/features/accounts/passwords';
import { SessionsRepository } from '#server/features/accounts/sessions/repository';
import { SessionsService } from '#server/features/accounts/sessions/service';
import { createSessionEnds } from '#server/features/accounts/sessions/session-ends';
import { ActionsRepository } from '#server/features/actions/repository';
import { actionsRoutes } from '#server/features/actions/routes';
import { ActionsService } from '#server/features/actions/service';
import { demoAgent } from '#server/features/agents/demo-agent';
import { EffectsRepository } from '#server/features/agents/effects/repository';
import { effectsRoutes } from '#server/features/agents/effects/routes';
import { EffectsService } from '#server/features/agents/effects/service';
import { AgentsRepository } from '#server/features/agents/repository';
import { agentsRoutes } from '#server/features/agents/routes';
import { AgentsService } from '#server/features/agents/service';
import { TryOuts } from '#server/features/agents/try-outs';
import { keepAttachedChange, VersionsRepository } from '#server/features/agents/versions/repository';
import { versionsRoutes } from '#server/features/agents/versions/routes';
import { VersionsService } from '#server/features/agents/versions/service';
import { WritingHelp } from '#server/features/agents/writing-help';
import { RefusedAccess } from '#server/features/audit/refused-access';
import { AuditRepository } from '#server/features/audit/repository';
import { auditRoutes } from '#server/features/audit/routes';
import { AuditService } from '#server/features/audit/service';
import { callsFeature } from '#server/features/channels/page/socket';
import { EarsLine } from '#server/features/channels/page/speech/ears-line';
import { SpeechService } from '#server/features/channels/page/speech/service';
import { DoorsRepository } from '#server/features/channels/room/doors/repository';
import { RoomsRepository } from '#server/features/channels/room/repository';
import { roomsRoutes } from '#server/features/channels/room/routes';
import { RoomsService } from '#server/features/channels/room/service';
import { ContactsRepository } from '#server/features/contacts/repository';
import { contactsRoutes } from '#server/features/contacts/routes';
import { ContactsService } from '#server/features/contacts/service';
import { openRecordings } from '#server/features/conversations/recordings/open';
import { RecordingsRepository } from '#server/features/conversations/recordings/repository';
import { recordingsRoutes } from '#server/features/conversations/recordings/routes';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { Retention } from '#server/features/conversations/retention';
import { conversationsRoutes } from '#server/features/conversations/routes';
import { ConversationsService } from '#server/features/conversations/service';
import { DocumentsRepository } from '#server/features/documents/repository';
import { documentsRoutes } from '#server/features/documents/routes';
import { DocumentsService } from '#server/features/documents/service';
import { exportRoutes } from '#server/features/export/routes';
import { ExportService } from '#server/features/export/service';
import { InsightsRepository } from '#server/features/insights/repository';
import { insightsRoutes } from '#server/features/insights/routes';
import { SentimentRepository } from '#server/features/insights/sentiment/repository';
import { sentimentRoutes } from '#server/features/insights/sentiment/routes';
import { SentimentService } from '#server/features/insights/sentiment/service';
import { InsightsService } from '#server/features/insights/service';
import { UnansweredRepository } from '#server/features/insights/unanswered/repository';
import { unansweredRoutes } from '#server/features/insights/unanswered/routes';
import { UnansweredService } from '#server/features/insights/unanswered/service';
import { ModelUseRepository } from '#server/features/model-use/repository';
import { modelUseRoutes } from '#server/features/model-use/routes';
import { ModelUseService } from '#server/features/model-use/service';
import { PreferencesRepository } from '#server/features/preferences/repository';
import { preferencesRoutes } from '#server/features/preferences/routes';
import { PreferencesService } from '#server/features/preferences/service';
import { ScansService } from '#server/features/scans/service';
import { CallsService } from '#server/features/turns/service';
import { createAddressOf, createProxyCheck } from '#server/http/client-address';
import { addDocs } from '#server/http/docs';
import { endConnections } from '#server/http/end-connections';
import { guardFrontGate } from '#server/http/front-gate';
import { healthRoutes, keptForAMoment, statusRoutes } from '#server/http/health-routes';
import { createHostCheck } from '#server/http/hosts';
import { addIdempotency } from '#server/http/idempotency/hook';
import { IdempotencyRepository } from '#server/http/idempotency/repository';
import { createOriginCheck } from '#server/http/origins';
import { strictTransport } from '#server/http/raw-refusal';
import { createHttpServer } from '#server/http/server';
import { builtWebAssets, serveWebAssets } from '#server/http/web-assets';
import { diskSpaceOf } from '#server/lib/disk-space';
import { TextQuota } from '#server/lib/text-quota';
import { listen } from '#server/listening/listen';
import { attachRealtime } from '#server/realtime/server';
import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';
import { type Metrics, noMetrics } from '#server/telemetry/metrics';
import type { TurnStory } from '#server/telemetry/timeline';
import type { User } from '#shared/accounts';
import { ASKED_WITHIN_MS } from '#shared/effects';

export interface AppParts {
  config: Pick<Config, 'publicUrl' | 'corsOrigins' | 'rateLimit'> &
    Partial<
      Pick<
        Config,
        | 'quotas'
        | 'rooms'
        | 'registration'
        | 'sessionIdleMs'
        | 'allowedHosts'
        | 'trustedProxies'
        | 'retentionDays'
        | 'audioStaysHere'
        | 'dataDir'
        | 'documents'
      >
    >;
  database: Database;
  engines: Engines;
  dialogue: Dialogue;
  logger: Logger;
  /** What an operator counts by; none by default. */
  metrics?: Metrics;
  /** Told of each turn that has ended. */
  onTurn?: (story: TurnStory) => void;
  /** How long a change of an agent is tried before it is saved, in milliseconds. */
  effectsWithinMs?: number;
  /** How passwords are kept; by default with argon2id. */
  passwords?: Passwords;
  /** The built web page; by default where the build puts it. */
  webAssets?: string;
  /** What the process was started with, unless a test has its own. */
  environment?: NodeJS.ProcessEnv;
}

export interface App {
  server: FastifyInstance;
  /** Has engines answer by the settings as they are now, and says these. Rejects where those that owners saved cannot be read. */
  takeUpSettings(): Promise<Config>;
  /**
   * Stops taking requests, lets running turns finish, then ends every connection.
   * Engines and database stay open: who made them closes them.
   * @param drainMs how long turns may take to finish, in milliseconds
   */
  close(drainMs?: number): Promise<void>;
}

/** Adding up all recordings reads them all. */
const TOTALS_MS = 60_000;
/** A call in which nobody has said a word for so long is over. */
const UNSPOKEN_DAYS = 1 / 24;
const DRAIN_MS = 10_000;
const GRACE_MS = 1_000;

/** Puts the parts together. `main` gives it the real ones and listens; tests give it fakes. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, database, engines, dialogue, logger, metrics = noMetrics } = parts;
  const { db } = database;
  const { quotas } = config;
  const { sharedState } = engines;
  const bell = new Bell(sharedState);

  const audit = new AuditService(new AuditRepository(db), (error) =>
    logger.error({ err: error }, 'the security log could not be written'),
  );
  const refusedAccess = new RefusedAccess(audit);
  const refusedFiles = new RefusedAccess(audit, { action: 'malware-refused' });
  const scans = new ScansService({
    antivirus: engines.antivirus,
    onMalicious: (found) => refusedFiles.note({ kind: 'file', ...found }),
    emailOf: (userId) => accounts.emailOf(userId),
  });
  const onForbidden = (user: User, asked: string, address: string) =>
    refusedAccess.note({
      kind: 'access',
      actor: { id: user._id, email: user.email },
      subject: asked,
      address,
    });
  const sessions = new SessionsService({
    repository: new SessionsRepository(db),
    audit,
    ends: createSessionEnds(sharedState),
    ...(config.sessionIdleMs === undefined ? {} : { idleMs: config.sessionIdleMs }),
  });
  const texts = new TextQuota(sharedState.limiters, quotas?.charactersPerDay);
  const agents = new AgentsService(new AgentsRepository(db, bell.ring), demoAgent, {
    onSaved: (agent) =>
      void dialogue
        .prepare(agent)
        .catch((error: unknown) => logger.warn({ err: error }, 'an agent could not be indexed')),
    onDeleted: (agentId) => void dialogue.forgetAgent(agentId),
    ...(quotas ? { max: quotas.agents } : {}),
    texts,
    documentsOf: (scope, agentId) => documents.textsOf(scope, agentId),
  });
  const documents = new DocumentsService({
    repository: new DocumentsRepository(db, keepAttachedChange, bell.ring),
    profileFor: (scope, agentId) => agents.profileFor(scope, agentId),
    engine: engines.documents,
    sharedState,
    outside: engines.outside,
    scans,
    dialogue,
    limits: config.documents ?? { documents: 5_000, characters: 100_000_000 },
    onFailure: (error) => logger.warn({ err: error }, 'a document could not be read'),
  });
  const versions = new VersionsService(new VersionsRepository(db), agents);
  const preferences = new PreferencesService(new PreferencesRepository(db), {
    audioStaysHere: config.audioStaysHere ?? false,
  });
  const recordingsRepository = new RecordingsRepository(db);
  const recordings = await openRecordings({
    repository: recordingsRepository,
    store: engines.mediaStore,
    encoder: engines.encoder,
    scans,
    mayKeep: async (scope) => (await preferences.of(scope.contactId)).keepRecordings,
    isMasked: (...said) => calls.isMasked(...said),
    onFailure: (what, error) => logger.warn({ err: error, what }, 'recording failed'),
  });
  const sentiment = new SentimentService({
    engine: engines.sentiment,
    sharedState,
    repository: new SentimentRepository(db, bell.ring),
    onFailure: (error) => logger.warn({ err: error }, 'a message could not be labelled'),
  });
  const conversationsRepository = new ConversationsRepository(db, bell.ring);
  const conversations = new ConversationsService(
    conversationsRepository,
    recordings,
    quotas?.conversationsPerDay,
    texts,
    (scope, id) => sentiment.settle(scope, id),
  );
  const retention = new Retention({
    days: config.retentionDays ?? null,
    repository: conversationsRepository,
    delete: (scope, id) => conversations.delete(scope, id),
    onFailure: (error) => logger.warn({ err: error }, 'an old conversation could not be deleted'),
  });
  // Whoever goes without a word, and hangs up by nothing but closing the page, leaves nothing behind.
  const unspoken = new Retention({
    days: UNSPOKEN_DAYS,
    repository: { quietSince: (...asked) => conversationsRepository.unspokenSince(...asked) },
    delete: (scope, id) => conversations.deleteUnspoken(scope, id),
    onFailure: (error) => logger.warn({ err: error }, 'a call without a word could not be deleted'),
  });
  const contacts = new ContactsService({ repository: new ContactsRepository(db), conversations, audit });
  conversations.closeWith(sharedState);
  const seal = await openSeal(db);
  const accounts = openAccounts({
    db,
    config,
    sessions,
    audit,
    refusedAccess,
    seal,
    passwords: parts.passwords,
    mail: engines.mail,
    identity: engines.identity,
    belongings: [(scope) => conversations.deleteAll(scope)],
    belongingsOfWorkspace: [(scope) => agents.deleteAll(scope)],
    onHeld: (userId) => rooms.accountHeld(userId),
    limiters: config.rateLimit ? sharedState.limiters : null,
    logger,
  });
  const onTurn = (story: TurnStory) => {
    metrics.turn(story);
    parts.onTurn?.(story);
  };
  const actions = new ActionsService({
    repository: new ActionsRepository(db, keepAttachedChange),
    agents,
    conversations,
    engine: engines.actions,
    seal,
  });
  const modelUse = new ModelUseService({
    repository: new ModelUseRepository(db),
    terms: () => engines.controls.inUse.modelUse,
    onSpent: (tokens) =>
      logger.warn({ tokens }, 'the tokens of this day are spent: the embedded reader answers'),
    onFailure: (error) => logger.error({ err: error }, 'what a language model took could not be stored'),
  });
  await modelUse.open();
  const calls = new CallsService({
    agents,
    actions,
    modelUse,
    conversations,
    recordings,
    dialogue,
    synthesis: engines.synthesis,
    encoder: engines.encoder,
    sharedState,
    ...(parts.metrics || parts.onTurn ? { onTurn } : {}),
    onFailure: (what, error) => logger.error({ err: error, what }, 'call failed'),
  });
  const ears = new EarsLine(engines.recognition);
  const earsWaitMs = () => ears.waitMs;
  const speech = new SpeechService({
    calls,
    conversations,
    recordings,
    ears: { recognition: ears.recognition, voiceActivity: engines.voiceActivity },
    earsWaitMs,
    sharedState,
    ...(quotas ? { limits: { streamsPerUser: quotas.calls } } : {}),
    listen: (options) => listen(options, engines.turnJudgement),
    onFailure: (error) => logger.error({ err: error }, 'listening failed'),
  });

  const unanswered = new UnansweredService({
    repository: new UnansweredRepository(db),
    agents,
    calls,
    reading: engines.reading,
  });
  const outbox = new Outbox({
    repository: new EventsRepository(db),
    bell,
    alone: database.alone,
    subscriptions: subscriptions({
      ...{ sentiment, unanswered, recordings, documents, calls, conversations },
      onFailure: (error) => logger.warn({ err: error }, 'a turn that was left could not be answered'),
    }),
    onFailure: (about, error) => logger.warn({ err: error, ...about }, 'an event could not be told'),
  });

  const tryOuts = new TryOuts({
    rehearse: (turn, signal) => calls.rehearse(turn, signal),
    profileFor: (scope, agentId) => agents.profileFor(scope, agentId),
    forget: (draft) => dialogue.forget(draft),
  });
  const effects = new EffectsService({
    repository: new EffectsRepository(db),
    agents,
    documentOf: (scope, id) => documents.textOf(scope, id),
    dialogue,
    withinMs: parts.effectsWithinMs ?? ASKED_WITHIN_MS,
  });

  const writingHelp = new WritingHelp({
    dialogue,
    profileFor: (scope, agentId) => agents.profileFor(scope, agentId),
  });

  const rooms = new RoomsService({
    rooms: engines.rooms,
    participants: engines.participants,
    repository: new RoomsRepository(db),
    doors: new DoorsRepository(db),
    access: config.rooms?.access ?? 'members',
    stunServers: config.rooms?.stunServers ?? null,
    sharedState,
    seal,
    liveSessions: (sessionIds) => sessions.alive(sessionIds),
    agents,
    calls,
    conversations,
    recordings,
    listen: (language, listener) =>
      listen(
        {
          mode: 'hands-free',
          language,
          recognition: ears.recognition,
          voiceActivity: engines.voiceActivity,
          listener,
        },
        engines.turnJudgement,
      ),
    earsWaitMs,
    ...(quotas ? { limits: { maxRoomsPerUser: quotas.calls } } : {}),
    trouble: () => troubleInRooms(engines),
    onFailure: (what, error) => logger.error({ err: error, what }, 'live call failed'),
  });

  const isAllowedOrigin = createOriginCheck(config);
  const isProxy = createProxyCheck(config);
  const addressOf = createAddressOf(isProxy);
  const limiter = config.rateLimit ? sharedState.limiters : null;
  const server = await createHttpServer({
    config,
    logger,
    isAllowedOrigin,
    isProxy,
    liveKitUrl: config.rooms?.livekit?.url ?? null,
    authenticate: (token) => sessions.authenticate(token),
    metrics,
    onForbidden,
    limiter,
  });
  const idempotency = addIdempotency(server, new IdempotencyRepository(db));
  addDocs(server);
  for (const routes of accounts.routes) await server.register(routes);
  const { environment } = parts;
  const engineSettings = openEngineSettings({ db, seal, engines, dialogue, audit, environment, logger });
  await server.register(engineSettings.routes);
  await server.register(
    exportRoutes(
      new ExportService({
        identitiesOf: accounts.identitiesOf,
        agents,
        actions,
        versions,
        documents,
        conversations,
        modelUse,
        recordings,
        preferences,
        audit,
      }),
    ),
  );
  await server.register(auditRoutes(audit));
  await server.register(preferencesRoutes(preferences));
  await server.register(agentsRoutes(agents, tryOuts, writingHelp));
  await server.register(versionsRoutes(versions));
  await server.register(effectsRoutes(effects));
  await server.register(documentsRoutes(documents));
  await server.register(conversationsRoutes(conversations, audit));
  await server.register(contactsRoutes(contacts));
  await server.register(actionsRoutes(actions));
  await server.register(recordingsRoutes(recordings));
  await server.register(sentimentRoutes(sentiment));
  await server.register(insightsRoutes(new InsightsService(new InsightsRepository(db))));
  await server.register(unansweredRoutes(unanswered));
  await server.register(modelUseRoutes(modelUse));
  await server.register(roomsRoutes(rooms, config.publicUrl));
  await server.register(healthRoutes(readiness(parts)));
  await server.register(statusRoutes(() => serverStatus(parts)));
  await serveWebAssets(server, parts.webAssets ?? builtWebAssets());
  // The first stranger's question to the demo agent is answered as well as every later one.
  server.addHook('onListen', (done) => {
    dialogue
      .prepare(demoAgent)
      .catch((error: unknown) => logger.warn({ err: error }, 'the demo agent could not be indexed'));
    housekeeping.listening();
    done();
  });
  await server.ready();

  const realtime = attachRealtime({
    httpServer: server.server,
    authenticate: async (token) => {
      const session = await sessions.authenticate(token);
      return session?.user.mustSetUpSecondFactor ? null : session;
    },
    isAllowedOrigin,
    addressOf,
    features: [callsFeature(calls, speech)],
    limiter,
    adapter: sharedState.socketAdapter,
    log: logger,
    metrics,
    onForbidden,
  });
  sharedState.onMissed(() => {
    void realtime.recheckSessions();
    void rooms.recheckPeople();
  });

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
    recordings: keptForAMoment(() => recordingsRepository.totals(), Date.now, TOTALS_MS),
  });

  // Links to recordings need not be told: they are bound to what the database counts up when a session ends.
  sessions.onEnded((ended) => {
    realtime.disconnectSession(ended.sessionId);
    rooms.sessionEnded(ended);
  });

  const detachRooms = engines.rooms.attach?.(
    server.server,
    isAllowedOrigin,
    strictTransport(config.publicUrl),
  );
  const leaveGate = guardFrontGate(server.server, {
    addressOf,
    isAllowedHost: createHostCheck({
      publicUrl: config.publicUrl,
      allowedHosts: config.allowedHosts ?? [],
    }),
    isAllowedOrigin,
    limiter,
    log: logger,
    metrics,
    publicUrl: config.publicUrl,
    onRefused: (address, code) =>
      refusedAccess.note({ kind: 'front gate', actor: null, subject: `front gate: ${code}`, address }),
  });

  const housekeeping = startHousekeeping({
    database,
    logger,
    endSessions: () => sessions.endExpired(),
    removeExpired: [() => accounts.cleanUp(), () => audit.removeOld(), () => idempotency.removeExpired()],
    removeOld: async () => {
      await retention.run();
      await unspoken.run();
      await recordings.sweep();
      await outbox.removeOld();
    },
    takeUpDocuments: () => documents.takeUp(),
  });

  await outbox.start();

  let closing: Promise<void> | undefined;
  return {
    server,
    takeUpSettings: engineSettings.takeUp,
    close(drainMs = DRAIN_MS) {
      closing ??= (async () => {
        housekeeping.stop();
        await Promise.all([retention.stop(), unspoken.stop()]);
        tryOuts.close();
        effects.close();
        writingHelp.close();
        // From here on nothing new is taken; it resolves when the last connection has ended.
        const closed = server.close();
        await rooms.close();
        await accounts.close();
        await speech.close();
        realtime.letGo((userId) => calls.isAnswering(userId));
        await calls.close(drainMs);
        await outbox.close();
        await modelUse.settled();
        await actions.close();
        await documents.close();
        await sentiment.close();
        await unanswered.close();
        await realtime.close();
        leaveGate();
        detachRooms?.();
        await endConnections(server.server, GRACE_MS);
        await closed;
        await recordings.close(GRACE_MS);
      })();
      return closing;
    },
  };
}
