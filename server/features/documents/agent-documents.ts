import type { AgentDocument } from '#server/dialogue/contract';
import type { Scope } from '#server/lib/scope';
import type { DocumentsRepository } from './repository.ts';

/** Names one state of a document's text. */
export const revisionOf = ({ readAt, title }: { readAt: Date | null; title: string }): string =>
  `${readAt?.toISOString() ?? ''} ${title}`;

/** Reads the readable documents of an agent for the dialogue. */
export const agentDocuments =
  (repository: Pick<DocumentsRepository, 'textsOf'>) =>
  async (scope: Scope, agentId: string): Promise<AgentDocument[]> =>
    (await repository.textsOf(scope, agentId)).map(({ id, title, readAt, parts }) => ({
      id,
      revision: revisionOf({ readAt, title }),
      title,
      parts,
    }));
