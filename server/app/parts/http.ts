import type { AppParts } from '#server/app/app-parts';
import { readiness, serverStatus } from '#server/app/status';
import { actionsRoutes } from '#server/features/actions/routes';
import { demoAgent } from '#server/features/agents/demo-agent';
import { effectsRoutes } from '#server/features/agents/effects/routes';
import { agentsRoutes } from '#server/features/agents/routes';
import { versionsRoutes } from '#server/features/agents/versions/routes';
import { auditRoutes } from '#server/features/audit/routes';
import { roomsRoutes } from '#server/features/channels/room/routes';
import { contactsRoutes } from '#server/features/contacts/routes';
import { recordingsRoutes } from '#server/features/conversations/recordings/routes';
import { conversationsRoutes } from '#server/features/conversations/routes';
import { documentsRoutes } from '#server/features/documents/routes';
import { exportRoutes } from '#server/features/export/routes';
import { ExportService } from '#server/features/export/service';
import { insightsRoutes } from '#server/features/insights/routes';
import { sentimentRoutes } from '#server/features/insights/sentiment/routes';
import { unansweredRoutes } from '#server/features/insights/unanswered/routes';
import { keysRoutes } from '#server/features/keys/routes';
import { modelUseRoutes } from '#server/features/model-use/routes';
import { preferencesRoutes } from '#server/features/preferences/routes';
import { createAddressOf, createProxyCheck } from '#server/http/client-address';
import { addDocs } from '#server/http/docs';
import { healthRoutes, statusRoutes } from '#server/http/health-routes';
import { addIdempotency } from '#server/http/idempotency/hook';
import type { IdempotencyRepository } from '#server/http/idempotency/repository';
import { createOriginCheck } from '#server/http/origins';
import { createHttpServer } from '#server/http/server';
import { builtWebAssets, serveWebAssets } from '#server/http/web-assets';
import { noMetrics } from '#server/telemetry/metrics';
import type { openAccounts } from './accounts.ts';
import type { Calls } from './calls.ts';
import type { Conversations } from './conversations.ts';
import type { openEngineSettings } from './engines.ts';
import type { Insights } from './insights.ts';
import type { Knowledge } from './knowledge.ts';
import type { Security } from './security.ts';

interface Served {
  security: Security;
  accounts: ReturnType<typeof openAccounts>;
  engineSettings: ReturnType<typeof openEngineSettings>;
  knowledge: Knowledge;
  conversations: Conversations;
  calls: Calls;
  insights: Insights;
  idempotency: IdempotencyRepository;
  /** Called once the server listens. */
  onListening(): void;
}

export type Http = Awaited<ReturnType<typeof openHttp>>;

/** Makes the HTTP server with all its routes, ready to listen. */
export async function openHttp(parts: AppParts, served: Served) {
  const { config, engines, dialogue, logger, metrics = noMetrics } = parts;
  const { security, accounts, knowledge, conversations: kept, calls, insights } = served;
  const { audit } = security;
  const isAllowedOrigin = createOriginCheck(config);
  const isProxy = createProxyCheck(config);
  const limiter = config.rateLimit ? engines.sharedState.limiters : null;
  const server = await createHttpServer({
    config,
    logger,
    isAllowedOrigin,
    isProxy,
    liveKitUrl: config.rooms?.livekit?.url ?? null,
    authenticate: security.authenticate,
    metrics,
    onForbidden: security.onForbidden,
    limiter,
  });
  addIdempotency(server, served.idempotency);
  addDocs(server);
  const takenAlong = new ExportService({
    identitiesOf: accounts.identitiesOf,
    ...{ agents: knowledge.agents, versions: knowledge.versions, documents: knowledge.documents },
    ...{ actions: calls.actions, modelUse: calls.modelUse },
    ...{ conversations: kept.conversations, recordings: kept.recordings, preferences: kept.preferences },
    audit,
  });
  for (const routes of [
    ...accounts.routes,
    served.engineSettings.routes,
    exportRoutes(takenAlong),
    auditRoutes(audit),
    keysRoutes(security.keys),
    preferencesRoutes(kept.preferences),
    agentsRoutes(knowledge.agents, calls.tryOuts, knowledge.writingHelp),
    versionsRoutes(knowledge.versions),
    effectsRoutes(knowledge.effects),
    documentsRoutes(knowledge.documents),
    conversationsRoutes(kept.conversations, audit),
    contactsRoutes(kept.contacts),
    actionsRoutes(calls.actions),
    recordingsRoutes(kept.recordings),
    sentimentRoutes(kept.sentiment),
    insightsRoutes(insights.insights),
    unansweredRoutes(insights.unanswered),
    modelUseRoutes(calls.modelUse),
    roomsRoutes(calls.rooms, config.publicUrl),
    healthRoutes(readiness(parts)),
    statusRoutes(() => serverStatus(parts)),
  ])
    await server.register(routes);
  await serveWebAssets(server, parts.webAssets ?? builtWebAssets());
  // Prepares the demo agent, so that the first question is answered as fast as later ones.
  server.addHook('onListen', (done) => {
    dialogue
      .prepare(demoAgent)
      .catch((error: unknown) => logger.warn({ err: error }, 'the demo agent could not be indexed'));
    served.onListening();
    done();
  });
  await server.ready();
  return { server, isAllowedOrigin, addressOf: createAddressOf(isProxy), limiter };
}
