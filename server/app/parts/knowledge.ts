import type { AppParts } from '#server/app/app-parts';
import type { Bell } from '#server/events/bell';
import { demoAgent } from '#server/features/agents/demo-agent';
import { EffectsRepository } from '#server/features/agents/effects/repository';
import { EffectsService } from '#server/features/agents/effects/service';
import { AgentsRepository } from '#server/features/agents/repository';
import { AgentsService } from '#server/features/agents/service';
import { keepAttachedChange, VersionsRepository } from '#server/features/agents/versions/repository';
import { VersionsService } from '#server/features/agents/versions/service';
import { WritingHelp } from '#server/features/agents/writing-help';
import { agentDocuments } from '#server/features/documents/agent-documents';
import { DocumentsRepository } from '#server/features/documents/repository';
import { DocumentsService } from '#server/features/documents/service';
import type { TextQuota } from '#server/lib/text-quota';
import { ASKED_WITHIN_MS } from '#shared/effects';
import type { Security } from './security.ts';

export type Knowledge = ReturnType<typeof openKnowledge>;

/** Connects agents and everything they read. */
export function openKnowledge(
  { config, database: { db }, engines, dialogue, logger, effectsWithinMs }: AppParts,
  { scans }: Pick<Security, 'scans'>,
  { bell, texts }: { bell: Bell; texts: TextQuota },
) {
  const documentsRepository = new DocumentsRepository(db, keepAttachedChange, bell.ring);
  const agents = new AgentsService(new AgentsRepository(db, bell.ring), demoAgent, {
    onSaved: (agent) =>
      void dialogue
        .prepare(agent)
        .catch((error: unknown) => logger.warn({ err: error }, 'an agent could not be indexed')),
    onDeleted: (agentId) => void dialogue.forgetAgent(agentId),
    ...(config.quotas ? { max: config.quotas.agents } : {}),
    texts,
    documentsOf: agentDocuments(documentsRepository),
  });
  const documents = new DocumentsService({
    repository: documentsRepository,
    profileFor: (scope, agentId) => agents.profileFor(scope, agentId),
    engine: engines.documents,
    sharedState: engines.sharedState,
    outside: engines.outside,
    scans,
    dialogue,
    limits: config.documents ?? { documents: 5_000, characters: 100_000_000 },
    onFailure: (error) => logger.warn({ err: error }, 'a document could not be read'),
  });
  return {
    agents,
    documents,
    versions: new VersionsService(new VersionsRepository(db), agents),
    effects: new EffectsService({
      repository: new EffectsRepository(db),
      agents,
      documentOf: (scope, id) => documents.textOf(scope, id),
      dialogue,
      withinMs: effectsWithinMs ?? ASKED_WITHIN_MS,
    }),
    writingHelp: new WritingHelp({
      dialogue,
      profileFor: (scope, agentId) => agents.profileFor(scope, agentId),
    }),
  };
}
