import { setMaxListeners } from 'node:events';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { AgentDocument, AgentProfile, Dialogue } from '#server/dialogue/contract';
import type { DocumentsEngine } from '#server/engines/documents/contract';
import type { Outside } from '#server/engines/outside/contract';
import type { SharedState } from '#server/engines/shared-state/contract';
import type { ScansService } from '#server/features/scans/service';
import { EngineError } from '#server/lib/engine-error';
import { AppError, conflict, inItsWords, notFound, rateLimited } from '#server/lib/errors';
import type { QueuedWork } from '#server/lib/fair-turns';
import { accountOf, type Scope } from '#server/lib/scope';
import type {
  DocumentChange,
  DocumentPreview,
  DocumentWithPassages,
  KnowledgeDocument,
  WrittenDocument,
} from '#shared/documents';
import { refusal, sentenceOf } from '#shared/refusals/refusal';
import { revisionOf } from './agent-documents.ts';
import { Indexing } from './indexing.ts';
import { PagesLine } from './pages-line.ts';
import { addressOf, readFile, readPage, type UploadedFile, withoutScheme } from './read-source.ts';
import type {
  DocumentLimits,
  DocumentRecord,
  DocumentsRepository,
  DocumentText,
  NewDocumentRow,
} from './repository.ts';
import { TakingUp } from './taking-up.ts';

interface DocumentsDependencies {
  repository: DocumentsRepository;
  /** Finds an agent of a user. */
  profileFor(scope: Scope, agentId: string): Promise<AgentProfile | null>;
  engine: DocumentsEngine;
  outside: Outside;
  scans: Pick<ScansService, 'check'>;
  sharedState: Pick<SharedState, 'take'>;
  dialogue: Pick<Dialogue, 'prepare' | 'passagesOf' | 'countPassages'>;
  limits: DocumentLimits;
  onFailure(error: unknown): void;
  /** Documents added within this time are indexed together, in milliseconds. */
  gatherMs?: number;
}

const GATHER_MS = 300;
/** Files of one user received and read at once. */
const FILES_AT_ONCE = 4;

const NOTHING = sentenceOf('documents.nothing-to-read');

/**
 * The documents of agents, besides their company information. Methods throw `notFound` for agents and documents whose
 * id is malformed, missing or of another workspace.
 */
export class DocumentsService {
  readonly #deps: DocumentsDependencies;
  readonly #closing = new AbortController();
  readonly #indexing: Indexing;
  readonly #pages: PagesLine;
  readonly #uploads = new Map<string, number>();
  readonly #takingUp: TakingUp;

  constructor(deps: DocumentsDependencies) {
    this.#deps = deps;
    const { sharedState, onFailure, gatherMs = GATHER_MS } = deps;
    const closing = this.#closing.signal;
    // Every waiting task listens to it.
    setMaxListeners(0, closing);
    const index = (workspaceId: string, agentId: string) => this.#index(wholeOf(workspaceId), agentId);
    const read = (work: QueuedWork, id: string) => this.#readWaitingPage(work, id);
    this.#indexing = new Indexing({ index, gatherMs, closing, onFailure });
    this.#pages = new PagesLine({ read, sharedState, closing, onFailure });
    const { repository } = deps;
    this.#takingUp = new TakingUp({
      ...{ repository, closing, onFailure },
      pages: this.#pages,
      indexing: this.#indexing,
    });
  }

  /** A document of any agent, for the dialogue; null if it is missing, or could not be read. */
  async textOf(scope: Scope, id: string): Promise<AgentDocument | null> {
    const record = isUuid(id) ? await this.#deps.repository.find(scope, id) : null;
    if (!record?.readAt) return null;
    const parts = await this.#deps.repository.partsOf(scope, id);
    return { id, title: record.title, revision: revisionOf(record), parts };
  }

  /** All documents of a user, newest first. */
  async all(scope: Scope): Promise<KnowledgeDocument[]> {
    return (await this.#deps.repository.list(scope, null)).map(present);
  }

  /** A user's documents with their text, one after another, for an export. */
  async *export(scope: Scope): AsyncGenerator<KnowledgeDocument & { parts: DocumentText['parts'] }> {
    for (const document of await this.all(scope))
      yield { ...document, parts: await this.#deps.repository.partsOf(scope, document._id) };
  }

  /** Newest first. */
  async list(scope: Scope, agentId: string): Promise<KnowledgeDocument[]> {
    await this.#agent(scope, agentId);
    return (await this.#deps.repository.list(scope, agentId)).map(present);
  }

  /** @param agentId the agent whose document it is; null: the first agent that has it */
  async get(scope: Scope, agentId: string | null, id: string): Promise<DocumentWithPassages> {
    const record = await this.#find(scope, agentId, id);
    const { language } = await this.#agent(scope, agentId ?? record.agentIds[0] ?? '');
    const parts = await this.#deps.repository.partsOf(scope, id);
    const passages = await this.#deps.dialogue.passagesOf(
      scope.workspaceId,
      { id, title: record.title, revision: revisionOf(record), parts },
      language,
    );
    return {
      ...present(record),
      passages: passages.map((passage, n) => ({ _id: String(n), ...passage })),
    };
  }

  /** @throws AppError conflict when the account has the most allowed */
  async addTexts(
    scope: Scope,
    agentId: string,
    texts: readonly WrittenDocument[],
  ): Promise<KnowledgeDocument[]> {
    const rows = texts.map(({ title, text }) =>
      newRow({ title, kind: 'text', source: null, parts: [{ title: null, text }] }),
    );
    return this.#insert(scope, agentId, rows);
  }

  /**
   * Reads and stores a file; a file without readable text is stored with the reason.
   * @param receive takes the file from the sender
   * @throws AppError what `receive` and a scan throw, conflict, or rate-limited for too many at once
   */
  async addFile(
    scope: Scope,
    agentId: string,
    receive: () => Promise<UploadedFile>,
  ): Promise<KnowledgeDocument> {
    await this.#agent(scope, agentId);
    return this.#oneOfFew(scope, async () => {
      const file = await receive();
      const read = await this.#readFile(scope, file);
      if (read.problem !== undefined) {
        const { title, kind, source } = read;
        const row = newRow({ title, kind, source, parts: null });
        const [document] = await this.#insert(scope, agentId, [row]);
        await this.#deps.repository.setProblem(scope, row.id, read.problem);
        return document ? { ...document, status: 'failed' as const, problem: read.problem } : missing();
      }
      const [document] = await this.#insert(scope, agentId, [newRow(read)]);
      return document ?? missing();
    });
  }

  /** Queues the page for reading. */
  async addAddress(scope: Scope, agentId: string, url: string): Promise<KnowledgeDocument> {
    const address = addressOf(url);
    const row = newRow({ title: withoutScheme(address), kind: 'page', source: address, parts: null });
    const [document] = await this.#insert(scope, agentId, [row]);
    void this.#pages.soon({ account: scope.workspaceId }, row.id);
    return document ?? missing();
  }

  /**
   * Reads a file or an address as adding it would, and stores nothing.
   * @param receive takes the file or the address from the sender
   * @throws AppError what `receive` and a scan throw, invalid-input with the reason if it cannot be read, or
   *   rate-limited for too many at once; the signal's reason
   */
  async preview(
    scope: Scope,
    agentId: string,
    receive: () => Promise<UploadedFile | { url: string }>,
    signal: AbortSignal,
  ): Promise<DocumentPreview> {
    const { language } = await this.#agent(scope, agentId);
    return this.#oneOfFew(scope, async () => {
      const given = await receive();
      const { title, kind, parts, problem } =
        'url' in given
          ? await this.#readPage({ account: accountOf(scope) }, addressOf(given.url), signal)
          : await this.#readFile(scope, given);
      const passages = await this.#deps.dialogue.countPassages(
        scope.workspaceId,
        { id: 'preview', title, revision: uuidv7(), parts },
        language,
      );
      if (passages === 0)
        throw new AppError('invalid-input', 400, inItsWords({ message: problem ?? NOTHING }));
      return {
        ...{ title, kind, parts, characters: charactersIn(parts), passages },
        ...(problem ? { problem } : {}),
      };
    });
  }

  /** Shares a document with another agent. */
  async share(scope: Scope, agentId: string, id: string): Promise<KnowledgeDocument> {
    const { repository } = this.#deps;
    const areTheirs =
      isUuid(agentId) && isUuid(id) && (await repository.share(scope, agentId, id, new Date()));
    if (!areTheirs) throw notFound('document');
    this.#indexSoon(scope, [agentId]);
    return present((await repository.find(scope, id)) ?? missing());
  }

  /** @throws AppError as `addFile`, and invalid-input with the reason for an unreadable file: the old text stays */
  async replace(
    scope: Scope,
    agentId: string,
    id: string,
    receive: () => Promise<UploadedFile | WrittenDocument>,
  ): Promise<KnowledgeDocument> {
    await this.#find(scope, agentId, id);
    return this.#oneOfFew(scope, async () => {
      const given = await receive();
      const read =
        'text' in given
          ? {
              title: given.title,
              kind: 'text' as const,
              source: null,
              parts: [{ title: null, text: given.text }],
            }
          : await this.#readFile(scope, given);
      if ('problem' in read && read.problem !== undefined)
        throw new AppError('invalid-input', 400, inItsWords({ message: read.problem }));
      await this.#setText(scope, id, { ...read, characters: charactersIn(read.parts), problem: null });
      return present((await this.#deps.repository.find(scope, id)) ?? missing());
    });
  }

  async change(
    scope: Scope,
    agentId: string,
    id: string,
    { title, readEveryDays }: DocumentChange,
  ): Promise<KnowledgeDocument> {
    const { repository } = this.#deps;
    const { kind, agentIds } = await this.#find(scope, agentId, id);
    if (readEveryDays && kind !== 'page')
      throw new AppError('invalid-input', 400, 'documents.only-pages-again');
    const change = {
      ...(title === undefined ? {} : { title }),
      ...(readEveryDays === undefined ? {} : { readEveryDays }),
    };
    if (Object.keys(change).length > 0) await repository.change(scope, id, change, new Date());
    if (title !== undefined) this.#indexSoon(scope, agentIds);
    return present(await this.#find(scope, agentId, id));
  }

  /** Removes it from the agent; without any agent left, deletes it. */
  async remove(scope: Scope, agentId: string, id: string): Promise<void> {
    const wasTheirs =
      isUuid(agentId) && isUuid(id) && (await this.#deps.repository.remove(scope, agentId, id, new Date()));
    if (!wasTheirs) throw notFound('document');
    this.#indexSoon(scope, [agentId]);
  }

  /** Queues a page for another fetch; indexes any other document again. */
  async readAgain(scope: Scope, agentId: string, id: string): Promise<KnowledgeDocument> {
    const { repository } = this.#deps;
    const { kind, agentIds, readAt } = await this.#find(scope, agentId, id);
    if (kind !== 'page' && !readAt) throw conflict('documents.file-unread');
    await repository.setWaiting(scope, id, new Date());
    if (kind === 'page') void this.#pages.soon({ account: scope.workspaceId }, id);
    else this.#indexSoon(scope, agentIds);
    return present(await this.#find(scope, agentId, id));
  }

  /** Deletes documents without an agent, after agents were deleted. */
  async forgetUnread(scope: Scope): Promise<void> {
    await this.#deps.repository.removeUnread(scope);
  }

  /**
   * Continues readings that were cut off when a server stopped, and reads pages that are due, behind all urgent work.
   * Never rejects.
   */
  async takeUp(at = new Date()): Promise<void> {
    await this.#takingUp.begin(at);
  }

  /** Resolves when nothing is being read. */
  async settled(): Promise<void> {
    const running = () => [...this.#pages.running, ...this.#indexing.running, ...this.#takingUp.running];
    for (let work = running(); work.length > 0; work = running()) await Promise.all(work);
  }

  async close(): Promise<void> {
    this.#closing.abort(new EngineError('The server is closing.', { retryable: true }));
    await this.settled();
  }

  async #agent(scope: Scope, agentId: string): Promise<AgentProfile> {
    return (isUuid(agentId) ? await this.#deps.profileFor(scope, agentId) : null) ?? missing('agent');
  }

  async #find(scope: Scope, agentId: string | null, id: string): Promise<DocumentRecord> {
    const record = isUuid(id) ? await this.#deps.repository.find(scope, id) : null;
    return record && (agentId === null || record.agentIds.includes(agentId)) ? record : missing();
  }

  async #insert(
    scope: Scope,
    agentId: string,
    rows: readonly NewDocumentRow[],
  ): Promise<KnowledgeDocument[]> {
    if (!isUuid(agentId)) throw notFound('agent');
    const at = new Date();
    const { repository, limits } = this.#deps;
    const stored = await repository.insert(scope, agentId, rows, at, limits);
    if (stored === 'no-agent') throw notFound('agent');
    if (stored === 'full') throw full(limits);
    this.#indexSoon(scope, [agentId]);
    return rows.map(({ parts, ...row }) =>
      present({
        ...row,
        status: 'indexing',
        problem: null,
        passages: 0,
        readEveryDays: null,
        createdAt: at,
        readAt: parts ? at : null,
        agentIds: [agentId],
      }),
    );
  }

  async #setText(scope: Scope, id: string, text: DocumentText): Promise<void> {
    const { repository, limits } = this.#deps;
    const stored = await repository.setText(scope, id, text, new Date(), limits);
    if (stored === 'full') throw full(limits);
    if (!stored) throw notFound('document');
    const document = await repository.find(scope, id);
    this.#indexSoon(scope, document?.agentIds ?? []);
  }

  async #readFile(scope: Scope, file: UploadedFile) {
    const { scans, engine } = this.#deps;
    const { signal } = this.#closing;
    await scans.check(
      file.bytes,
      { what: 'document', account: accountOf(scope), address: file.from },
      signal,
    );
    return readFile(engine, file, { account: accountOf(scope) }, signal);
  }

  #readPage(work: QueuedWork, address: string, signal: AbortSignal) {
    const { outside, engine: documents, scans } = this.#deps;
    const scan = (file: Uint8Array, ends: AbortSignal) =>
      scans.check(file, { what: 'page', account: work.account, address: null }, ends);
    const ends = AbortSignal.any([signal, this.#closing.signal]);
    return readPage({ outside, documents, work, scan }, address, ends);
  }

  async #oneOfFew<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    const account = accountOf(scope);
    const running = this.#uploads.get(account) ?? 0;
    if (running >= FILES_AT_ONCE) throw rateLimited(1_000);
    this.#uploads.set(account, running + 1);
    try {
      return await work();
    } finally {
      const left = (this.#uploads.get(account) ?? 1) - 1;
      if (left > 0) this.#uploads.set(account, left);
      else this.#uploads.delete(account);
    }
  }

  #indexSoon(scope: Scope, agentIds: readonly string[]): void {
    for (const agentId of agentIds) void this.#indexing.soon({ account: scope.workspaceId }, agentId);
  }

  async #index(scope: Scope, agentId: string): Promise<void> {
    const { profileFor, dialogue, repository } = this.#deps;
    const agent = await profileFor(scope, agentId);
    if (!agent) return;
    const rows = (await repository.textsOf(scope, agentId)).filter(({ status }) => status === 'indexing');
    await dialogue.prepare(agent, this.#closing.signal);
    const read: { id: string; readAt: Date; passages: number }[] = [];
    for (const row of rows) {
      const document = { ...row, revision: revisionOf(row) };
      const passages = await dialogue.countPassages(scope.workspaceId, document, agent.language);
      read.push({ id: row.id, readAt: row.readAt, passages });
    }
    await repository.setRead(scope, read, NOTHING);
  }

  async #readWaitingPage(work: QueuedWork, id: string): Promise<void> {
    const { repository } = this.#deps;
    const scope = wholeOf(work.account);
    const document = await repository.find(scope, id);
    // Read already: it was on two lists.
    if (!document?.source || document.status !== 'indexing') return;
    const { signal } = this.#closing;
    try {
      const { title, kind, parts, problem } = await this.#readPage(work, document.source, signal);
      await this.#setText(scope, id, {
        // A title that the owner changed stays.
        ...(document.title === withoutScheme(document.source) ? { title } : {}),
        ...{ kind, source: document.source, parts, characters: charactersIn(parts), problem },
      });
    } catch (error) {
      // The next start takes it up again.
      if (signal.aborted) return;
      if (error instanceof EngineError || error instanceof AppError)
        return repository.setProblem(scope, id, error.message);
      await repository.setProblem(scope, id, sentenceOf('documents.page-unread'));
      throw error;
    }
  }
}

/** The scope of automatic work in a workspace. */
const wholeOf = (workspaceId: string): Scope => ({ workspaceId, contactId: null });

const missing = (what: 'agent' | 'document' = 'document'): never => {
  throw notFound(what);
};

const full = ({ documents, characters }: DocumentLimits) =>
  conflict(refusal('documents.full', { documents, millions: Math.floor(characters / 1_000_000) }));

const charactersIn = (parts: DocumentText['parts']) => parts.reduce((all, { text }) => all + text.length, 0);

const newRow = (row: Omit<NewDocumentRow, 'id' | 'characters'>): NewDocumentRow => ({
  ...row,
  id: uuidv7(),
  characters: charactersIn(row.parts ?? []),
});

function present(record: DocumentRecord): KnowledgeDocument {
  const { id, source, problem, readEveryDays, createdAt, readAt, ...rest } = record;
  return {
    _id: id,
    ...rest,
    ...(source === null ? {} : { source }),
    ...(problem === null ? {} : { problem }),
    ...(readEveryDays === null ? {} : { readEveryDays }),
    ...(readAt === null ? {} : { readAt: readAt.toISOString() }),
    createdAt: createdAt.toISOString(),
  };
}
