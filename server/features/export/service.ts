import type { ActionsService } from '#server/features/actions/service';
import type { AgentsService } from '#server/features/agents/service';
import type { VersionsService } from '#server/features/agents/versions/service';
import type { AuditService } from '#server/features/audit/service';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import type { DocumentsService } from '#server/features/documents/service';
import type { ModelUseService } from '#server/features/model-use/service';
import type { PreferencesService } from '#server/features/preferences/service';
import { AppError } from '#server/lib/errors';
import { type ContactScope, memberScope } from '#server/lib/scope';
import type { Member } from '#server/lib/session';
import type { ListedConversation } from '#shared/conversations';
import { type ArchiveFile, tarStream } from './tar-stream.ts';

interface ExportDependencies {
  /** A user's identities at providers. */
  identitiesOf(userId: string): Promise<{ issuer: string; subject: string }[]>;
  agents: Pick<AgentsService, 'list'>;
  actions: Pick<ActionsService, 'list' | 'runsOf'>;
  versions: Pick<VersionsService, 'export'>;
  documents: Pick<DocumentsService, 'export'>;
  conversations: Pick<ConversationsService, 'list'>;
  modelUse: Pick<ModelUseService, 'ofConversation'>;
  recordings: Pick<RecordingsService, 'ofConversation' | 'open'>;
  preferences: Pick<PreferencesService, 'of'>;
  audit: AuditService;
}

/** Conversations read at once, with their messages. */
const PAGE_SIZE = 20;

/** All data of a user, as an archive of JSON files and recordings. */
export class ExportService {
  readonly #deps: ExportDependencies;

  constructor(deps: ExportDependencies) {
    this.#deps = deps;
  }

  /** Begins an archive of a user's data and the data shared in their workspace. It is produced while it is read. */
  async begin(user: Member, address: string): Promise<AsyncGenerator<Uint8Array>> {
    const actor = { id: user._id, email: user.email };
    await this.#deps.audit.record({ action: 'exported', actor, address, subject: 'their account' });
    return tarStream(this.#files(user));
  }

  async *#files(user: Member): AsyncGenerator<ArchiveFile> {
    const { identitiesOf, agents, actions, versions, preferences } = this.#deps;
    const account = { ...user, preferences: await preferences.of(user._id) };
    yield jsonFile('account.json', { ...account, identities: await identitiesOf(user._id) });
    const scope = memberScope(user);
    const all = await agents.list(scope);
    yield jsonFile('agents.json', all);
    for (const { _id } of all) {
      for await (const version of versions.export(scope, _id))
        yield jsonFile(`agents/${_id}/versions/${version.version}.json`, version);
      const can = await actions.list(scope, _id).catch(nothingIfGone);
      if (can?.length) yield jsonFile(`agents/${_id}/actions.json`, can);
    }
    for await (const document of this.#deps.documents.export(scope))
      yield jsonFile(`documents/${document._id}.json`, document);
    for await (const conversation of this.#conversations(scope))
      yield* this.#conversationFiles(user, conversation);
  }

  async *#conversations(scope: ContactScope): AsyncGenerator<ListedConversation> {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<ConversationsService['list']>> = await this.#deps.conversations.list(
        scope,
        { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) },
      );
      yield* page.conversations;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /**
   * A conversation with the file name of each message's recording, its action runs, its model use, and the recordings.
   */
  async *#conversationFiles(user: Member, conversation: ListedConversation): AsyncGenerator<ArchiveFile> {
    const { actions, modelUse, recordings } = this.#deps;
    const scope = memberScope(user);
    const own = { workspaceId: user.workspaceId, viewerId: user._id, seesAll: false };
    const kept = (await recordings.ofConversation(scope, conversation._id)).map((recording) => ({
      recording,
      path: `recordings/${conversation._id}/${recording.id}.${recording.extension}`,
    }));
    const pathOf = new Map(kept.map(({ recording, path }) => [recording.messageId, path]));
    const messages = conversation.messages?.map(({ audioUrl, ...message }) => {
      const path = pathOf.get(message._id);
      return path === undefined ? message : { ...message, recording: path };
    });
    const uses = await modelUse.ofConversation(scope, conversation._id);
    const runs = await actions.runsOf(own, conversation._id).catch(nothingIfGone);
    yield jsonFile(`conversations/${conversation._id}.json`, {
      ...conversation,
      messages,
      ...(runs?.length ? { actionRuns: runs } : {}),
      ...(uses.length > 0 ? { modelUses: uses } : {}),
    });
    for (const { recording, path } of kept) {
      const bytes = await recordings.open(recording).catch(nothingIfGone);
      if (!bytes) continue;
      try {
        yield { path, at: recording.createdAt, size: recording.bytes, bytes };
      } finally {
        // The reader may have gone before this file's turn.
        bytes.destroy();
      }
    }
  }
}

/** For recordings deleted since they were listed: the archive continues without them. */
function nothingIfGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not-found') return null;
  throw error;
}

function jsonFile(path: string, content: object): ArchiveFile {
  const bytes = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  return { path, at: new Date(), size: bytes.byteLength, bytes: [bytes] };
}
