import type { Readable } from 'node:stream';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { joinSounds, type Sound } from '#server/audio/sound';
import type { SoundEncoder, SoundFile } from '#server/engines/encoding/contract';
import type { MediaStore } from '#server/engines/storage/contract';
import type { ScansService } from '#server/features/scans/service';
import { AppError, conflict, forbidden, invalidInput, notFound, rateLimited } from '#server/lib/errors';
import type { Sight } from '#server/lib/principal';
import { accountOf, type ContactScope, type Scope } from '#server/lib/scope';
import type { SignedLinks } from '#server/lib/signed-links';
import { within } from '#server/lib/wait';
import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';
import { refusal } from '#shared/refusals/refusal';
import { storable } from '#shared/storable';
import { ReceivedAudio } from './received-audio.ts';
import type {
  InsertOutcome,
  RecordingBounds,
  RecordingRecord,
  RecordingsRepository,
  Room,
} from './repository.ts';
import { Sweep } from './sweep.ts';

export type { RecordingRecord } from './repository.ts';

/** The parameters of a signed link. */
interface LinkQuery {
  expires?: unknown;
  signature?: unknown;
  /** The viewer it was made for, if not the contact. */
  viewer?: unknown;
}

/** The audio of a message. */
export interface PlayableMessage {
  audioUrl: string;
  /** Milliseconds; null if only a player can tell. */
  durationMs: number | null;
}

export interface RecordingsDependencies {
  repository: RecordingsRepository;
  store: MediaStore;
  links: SignedLinks;
  /** Prefix of every key: several servers may share a store, and each cleans up only its own. */
  namespace: string;
  encoder: SoundEncoder;
  scans: Pick<ScansService, 'pass'>;
  /** Whether a user allows recordings of their calls; asked each time. */
  mayKeep(scope: ContactScope): Promise<boolean>;
  /** Whether a customer's words contain masked data, so that their audio is not stored either. */
  isMasked(scope: ContactScope, conversationId: string, transcript: string): Promise<boolean>;
  /** Called for failures in the background. */
  onFailure(what: 'reply' | 'utterance' | 'removal' | 'sweep' | 'attaching', error: unknown): void;
  bounds?: Partial<RecordingBounds>;
  now?: () => number;
}

/** At 6.5 kB a second of speech, a conversation holds some eight hours of replies beside the customer's audio. */
const defaultBounds: RecordingBounds = {
  conversationBytes: 250_000_000,
  conversationCount: 2_000,
  userBytes: 5_000_000_000,
};

/** Simultaneous uploads of one user: unfinished ones do not count against the limits yet. */
const MAX_UPLOADS_AT_ONCE = 4;
/** A message and its recording are sent separately: they wait this long for each other. */
const WAIT_FOR_MESSAGE_MS = 10 * 60_000;
const WAIT_FOR_RECORDING_MS = 2 * 60_000;
/** Audio waiting to be encoded, in samples of all users together: some 20 minutes, 80 MB. More is dropped. */
const MAX_WAITING_SAMPLES = 20_000_000;

/**
 * Recordings of customers and replies. Rows in the database, bytes in the media store. Bytes are stored first and
 * deleted last, so that no row is without them; bytes without a row are swept up.
 */
export class RecordingsService {
  readonly #deps: RecordingsDependencies;
  readonly #bounds: RecordingBounds;
  readonly #now: () => number;
  readonly #sweep: Sweep;
  readonly #uploads = new Map<string, number>();
  #waitingSamples = 0;
  /** Background work on the audio of each message, one step after another. */
  readonly #speechWork = new Map<string, Promise<void>>();

  constructor(deps: RecordingsDependencies) {
    this.#deps = deps;
    this.#bounds = { ...defaultBounds, ...deps.bounds };
    this.#now = deps.now ?? Date.now;
    this.#sweep = new Sweep({ ...deps, now: this.#now });
  }

  /**
   * Receives a customer's recording. It belongs to the message with the same words, which may come later or exist
   * already; also in a conversation that has ended meanwhile.
   * @param from the network address of the sender
   * @param read reads the request: passes the audio to `keep`, once, and returns the transcript
   * @returns no address if the user allows no recordings: then it is read, checked and discarded
   * @throws AppError not-found, conflict or rate-limited at the limits, problems of the recording, and errors of a scan
   */
  async upload(
    scope: ContactScope,
    conversationId: string,
    from: string,
    read: (keep: (audio: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<string>,
  ): Promise<{ audioUrl: string | null }> {
    const { store, repository, scans } = this.#deps;
    if (!isUuid(conversationId)) throw notFound('conversation');
    const startedAt = this.#now();
    const end = this.#beginUpload(scope);
    const id = uuidv7();
    const key = this.#keyOf(conversationId, id);
    let kept: { mediaType: string; audio: ReceivedAudio } | undefined;
    let isStored = false;
    try {
      // Tests with one byte: the recording's real size is checked when it is known.
      refuseUnlessFree(await repository.room(scope, conversationId, 1, this.#bounds));
      const mayKeep = await this.#deps.mayKeep(scope);
      const text = await read(async (source) => {
        const audio = new ReceivedAudio(source);
        const { mediaType, bytes } = await audio.begin();
        if (!mayKeep) return drain(bytes);
        kept = { mediaType, audio };
        const scanned = scans.pass(bytes, { what: 'recording', account: accountOf(scope), address: from });
        await store.put(key, scanned, { mediaType });
      });
      const transcript = readTranscript(text);
      if (!mayKeep || (await this.#deps.isMasked(scope, conversationId, transcript)))
        return { audioUrl: null };
      if (!kept) throw audioMissing();
      const outcome = await repository.insert(
        scope,
        conversationId,
        {
          id,
          speaker: 'customer',
          messageId: null,
          storageKey: key,
          mediaType: kept.mediaType,
          ...kept.audio.measures,
          transcript,
          at: new Date(this.#now()),
        },
        this.#bounds,
      );
      refuseUnlessFree(outcome === 'stored' ? 'free' : outcome);
      isStored = true;
      const since = new Date(startedAt - WAIT_FOR_RECORDING_MS);
      await repository.attachToNewest(scope, conversationId, id, since).catch((error: unknown) => {
        this.#deps.onFailure('attaching', error);
      });
      return { audioUrl: (await this.#linksFor(scope.contactId))({ id, contactId: scope.contactId }) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      // Deleting the conversation removes the folder of a file being written.
      const room = await repository.room(scope, conversationId, 0, this.#bounds).catch(() => null);
      throw room === 'missing' ? notFound('conversation') : error;
    } finally {
      if (kept && !isStored) await this.#remove(key);
      end();
    }
  }

  /** Attaches the recording that waits for its words to a message just stored. Never rejects. */
  async attach(
    scope: ContactScope,
    conversationId: string,
    messageId: string,
    content: string,
  ): Promise<void> {
    const since = new Date(this.#now() - WAIT_FOR_MESSAGE_MS);
    try {
      await this.#deps.repository.attachWaiting(scope, conversationId, messageId, spokenText(content), since);
    } catch (error) {
      this.#deps.onFailure('attaching', error);
    }
  }

  /**
   * Stores the audio of a reply, in the background. Without speech, stores nothing.
   * @param playedMs playout position of an interrupted reply, in milliseconds
   */
  keepSpeech(
    scope: ContactScope,
    message: { id: string; conversationId: string },
    sentences: readonly (Sound | null)[],
    playedMs: number | null = null,
  ): void {
    const parts = sentences.filter((speech) => speech !== null);
    if (parts.length === 0) return;
    this.#inTurn(message.id, 'reply', async () => {
      if (!(await this.#deps.mayKeep(scope))) return;
      const { encoder } = this.#deps;
      const whole = await encoder.encode(joinSounds(parts), 'later');
      const speech = playedMs === null || playedMs >= whole.durationMs ? whole : encoder.cut(whole, playedMs);
      if (speech) await this.#storeSpeech(scope, message, speech, 'agent');
    });
  }

  /**
   * Stores hands-free audio of a customer, in the background. A message keeps an existing recording. If there is more
   * audio than can be encoded, some is dropped; no turn waits for it or fails by it.
   * @param message the customer's stored message
   * @param sound its samples must not be changed any more
   */
  keepUtterance(scope: ContactScope, message: { id: string; conversationId: string }, sound: Sound): void {
    const { length } = sound.samples;
    if (length === 0) return;
    if (this.#waitingSamples + length > MAX_WAITING_SAMPLES) {
      this.#deps.onFailure('utterance', new Error('Too much sound waits to be encoded.'));
      return;
    }
    this.#waitingSamples += length;
    this.#inTurn(message.id, 'utterance', async () => {
      try {
        if (!(await this.#deps.mayKeep(scope))) return;
        if (await this.#deps.repository.ofMessage(scope, message.id)) return;
        const speech = await this.#deps.encoder.encode(sound, 'later');
        await this.#storeSpeech(scope, message, speech, 'customer');
      } finally {
        this.#waitingSamples -= length;
      }
    });
  }

  /** Cuts the recording of a reply to the part played, in the background. */
  cutSpeech(scope: ContactScope, message: { id: string; conversationId: string }, playedMs: number): void {
    const { repository, store, encoder } = this.#deps;
    this.#inTurn(message.id, 'reply', async () => {
      const recording = await repository.ofMessage(scope, message.id);
      if (!recording || (recording.durationMs ?? Number.POSITIVE_INFINITY) <= playedMs) return;
      const stream = await store.open(recording.storageKey);
      const audio = stream ? Buffer.concat(await stream.toArray()) : null;
      const speech = audio && encoder.cut({ audio, mediaType: recording.mediaType }, playedMs);
      await repository.delete(scope, recording.id);
      await this.#remove(recording.storageKey);
      if (speech) await this.#storeSpeech(scope, message, speech, 'agent');
    });
  }

  /**
   * The audio of messages in these conversations, by message id.
   * @param viewerId the viewer of the links, which end with their sessions
   */
  async playableIn(
    scope: Scope,
    conversationIds: readonly string[],
    viewerId: string,
  ): Promise<ReadonlyMap<string, PlayableMessage>> {
    const rows = await this.#deps.repository.ofMessages(scope, conversationIds);
    if (rows.length === 0) return new Map();
    const urlOf = await this.#linksFor(viewerId);
    return new Map(
      rows.flatMap(({ messageId, durationMs, ...row }) =>
        messageId ? [[messageId, { audioUrl: urlOf(row), durationMs }]] : [],
      ),
    );
  }

  /** Every recording of a conversation, oldest first, with its file extension. */
  async ofConversation(
    scope: ContactScope,
    conversationId: string,
  ): Promise<(RecordingRecord & { extension: string })[]> {
    const rows = await this.#deps.repository.ofConversation(scope, conversationId);
    return rows.map((row) => ({ ...row, extension: extensionOf(row) }));
  }

  /** Links to the recordings of messages in these conversations, by message id. */
  async urlsOf(
    scope: ContactScope,
    conversationIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const playable = await this.playableIn(scope, conversationIds, scope.contactId);
    return new Map([...playable].map(([messageId, { audioUrl }]) => [messageId, audioUrl]));
  }

  /** Link to the recording of one message, if it has one. */
  async urlOf(scope: ContactScope, messageId: string): Promise<string | undefined> {
    const recording = await this.#deps.repository.ofMessage(scope, messageId);
    return recording ? (await this.#linksFor(scope.contactId))(recording) : undefined;
  }

  /**
   * A recording of a conversation that the requester may see, or of a signed link.
   * @throws AppError not-found; forbidden for a link that is wrong, has expired, ended with a session of its viewer, or
   *   leads to a conversation they may no longer see
   */
  async find(id: string, asker: { sight: Sight } | { query: LinkQuery }): Promise<RecordingRecord> {
    if (!isUuid(id)) throw notFound('recording');
    const { repository } = this.#deps;
    const recording =
      'sight' in asker ? await repository.findSeen(asker.sight, id) : await this.#findByLink(id, asker.query);
    if (!recording) throw notFound('recording');
    return recording;
  }

  async #findByLink(id: string, query: LinkQuery): Promise<RecordingRecord | null> {
    const { repository, links } = this.#deps;
    const recording = await repository.find(id);
    const { viewer } = query;
    const viewerId = typeof viewer === 'string' && isUuid(viewer) ? viewer : recording?.contactId;
    const bond = recording && viewerId ? bondOf(viewerId, await repository.linkVersion(viewerId)) : null;
    const link = links.check(pathOf(id), query, bond);
    if (link === 'wrong') throw forbidden('conversations.link-invalid');
    if (link === 'expired' || (recording && !(await this.#mayStillHear(recording, viewerId))))
      throw forbidden('conversations.link-expired');
    return recording;
  }

  /** Contacts may play their own recordings; colleagues those of conversations they may see now. */
  async #mayStillHear({ id, contactId }: RecordingRecord, viewerId: string | undefined): Promise<boolean> {
    if (viewerId === contactId || viewerId === undefined) return true;
    const sight = await this.#deps.repository.sightOf(viewerId);
    return sight !== null && (await this.#deps.repository.findSeen(sight, id)) !== null;
  }

  /** @throws AppError not-found if its bytes are gone */
  async open(recording: RecordingRecord, range?: { start: number; end: number }): Promise<Readable> {
    const stream = await this.#deps.store.open(recording.storageKey, range);
    if (!stream) throw notFound('recording');
    return stream;
  }

  /** Deletes the bytes of a deleted conversation. @throws errors of the media store; the sweep retries later */
  async forget(conversationId: string): Promise<void> {
    await this.#deps.store.delete(this.#keyOf(conversationId, ''));
  }

  /** Deletes bytes without a recording, and recordings whose message never came. Never rejects. */
  sweep(): Promise<void> {
    return this.#sweep.run();
  }

  /** Resolves when no background work is left. */
  async idle(): Promise<void> {
    while (this.#speechWork.size > 0) await Promise.all(this.#speechWork.values());
  }

  /** Finishes background work, within `limitMs`. */
  async close(limitMs: number): Promise<void> {
    this.#sweep.stop();
    await within(limitMs, this.idle());
  }

  async #storeSpeech(
    scope: ContactScope,
    { id: messageId, conversationId }: { id: string; conversationId: string },
    { audio, mediaType, durationMs }: SoundFile,
    speaker: RecordingRecord['speaker'],
  ): Promise<void> {
    const id = uuidv7();
    const key = this.#keyOf(conversationId, id);
    let outcome: InsertOutcome | undefined;
    try {
      await this.#deps.store.put(key, once(audio), { mediaType });
      outcome = await this.#deps.repository.insert(
        scope,
        conversationId,
        {
          id,
          speaker,
          messageId,
          storageKey: key,
          mediaType,
          bytes: audio.byteLength,
          durationMs,
          transcript: null,
          at: new Date(this.#now()),
        },
        this.#bounds,
      );
    } finally {
      if (outcome !== 'stored') await this.#remove(key);
    }
  }

  #inTurn(id: string, what: 'reply' | 'utterance', work: () => Promise<void>): void {
    const done = (this.#speechWork.get(id) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => this.#deps.onFailure(what, error))
      .finally(() => {
        if (this.#speechWork.get(id) === done) this.#speechWork.delete(id);
      });
    this.#speechWork.set(id, done);
  }

  async #remove(keyOrPrefix: string): Promise<void> {
    try {
      await this.#deps.store.delete(keyOrPrefix);
    } catch (error) {
      this.#deps.onFailure('removal', error);
    }
  }

  #beginUpload(scope: ContactScope): () => void {
    const before = this.#uploads.get(accountOf(scope)) ?? 0;
    if (before >= MAX_UPLOADS_AT_ONCE) throw rateLimited(5_000, 'conversations.recordings-too-many');
    this.#uploads.set(accountOf(scope), before + 1);
    return () => {
      const rest = (this.#uploads.get(accountOf(scope)) ?? 1) - 1;
      if (rest > 0) this.#uploads.set(accountOf(scope), rest);
      else this.#uploads.delete(accountOf(scope));
    };
  }

  #keyOf(conversationId: string, id: string): string {
    return `${this.#deps.namespace}/${conversationId.toLowerCase()}/${id}`;
  }

  /**
   * Makes links to recordings that end with any session of the viewer. A viewer other than the contact is named in
   * them.
   */
  async #linksFor(viewerId: string): Promise<(recording: { id: string; contactId: string }) => string> {
    const bond = bondOf(viewerId, await this.#deps.repository.linkVersion(viewerId));
    return ({ id, contactId }) => {
      const link = this.#deps.links.sign(pathOf(id), bond);
      return viewerId === contactId ? link : `${link}&viewer=${viewerId}`;
    };
  }
}

const extensions: Record<string, string> = {
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
};

/** The file extension of a recording. */
export const extensionOf = ({ mediaType }: Pick<RecordingRecord, 'mediaType'>): string =>
  extensions[mediaType] ?? 'bin';

export const audioMissing = () => invalidInput('conversations.recording-missing', 'audio');
export const transcriptMissing = () => invalidInput('conversations.transcript-missing', 'transcript');
export const transcriptTooLong = () =>
  invalidInput(refusal('conversations.transcript-too-long', { max: MAX_MESSAGE_CHARACTERS }), 'transcript');

const bondOf = (viewerId: string, linkVersion: number) => `${viewerId} ${linkVersion}`;

const pathOf = (id: string) => `/api/recordings/${id.toLowerCase()}`;

/** Normalises words for comparison: spacing does not matter. */
const spokenText = (text: string) => storable(text).replaceAll(/\s+/gu, ' ').trim();

function readTranscript(text: string): string {
  if (text.length > MAX_MESSAGE_CHARACTERS) throw transcriptTooLong();
  const transcript = spokenText(text);
  if (!transcript) throw transcriptMissing();
  return transcript;
}

function refuseUnlessFree(room: Room): void {
  if (room === 'missing') throw notFound('conversation');
  if (room === 'conversation-full') throw conflict('conversations.recordings-full-here');
  if (room === 'user-full') throw conflict('conversations.recordings-full');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function drain(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of source) {
    // Reads all of it, so that it is checked like one that is stored.
  }
}
