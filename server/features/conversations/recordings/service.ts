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

/** What a signed link says. */
interface LinkQuery {
  expires?: unknown;
  signature?: unknown;
  /** Whom it was made for, where that is not the contact. */
  viewer?: unknown;
}

/** How a message can be played. */
export interface PlayableMessage {
  audioUrl: string;
  /** Milliseconds; null where only a player finds out. */
  durationMs: number | null;
}

export interface RecordingsDependencies {
  repository: RecordingsRepository;
  store: MediaStore;
  links: SignedLinks;
  /** Begins every key: several servers may share a store and each cleans up after itself alone. */
  namespace: string;
  encoder: SoundEncoder;
  scans: Pick<ScansService, 'pass'>;
  /** Whether a user wants what is said in their calls to be kept; asked anew each time something could be. */
  mayKeep(scope: ContactScope): Promise<boolean>;
  /** Whether what a customer said holds something that must not be kept: then the sound of it is not, either. */
  isMasked(scope: ContactScope, conversationId: string, transcript: string): Promise<boolean>;
  /** Told of failures that nobody waits for. */
  onFailure(what: 'reply' | 'utterance' | 'removal' | 'sweep' | 'attaching', error: unknown): void;
  bounds?: Partial<RecordingBounds>;
  now?: () => number;
}

/** Spoken at 6.5 kB a second, a conversation holds some eight hours of replies beside what the customer said. */
const defaultBounds: RecordingBounds = {
  conversationBytes: 250_000_000,
  conversationCount: 2_000,
  userBytes: 5_000_000_000,
};

/** Uploads of one user at the same time: what is still coming in counts against no bound yet. */
const MAX_UPLOADS_AT_ONCE = 4;
/** A message and its recording travel apart: this long they look for each other. */
const WAIT_FOR_MESSAGE_MS = 10 * 60_000;
const WAIT_FOR_RECORDING_MS = 2 * 60_000;
/** Sound that waits to be encoded, in samples of all users together: some 20 minutes, 80 MB. Beyond it none is taken. */
const MAX_WAITING_SAMPLES = 20_000_000;

/**
 * Recordings: what customers said, and how replies were spoken. Rows in the database, bytes in the media store. Bytes are
 * stored first and removed last, so that no row is without them; bytes without a row are swept up.
 */
export class RecordingsService {
  readonly #deps: RecordingsDependencies;
  readonly #bounds: RecordingBounds;
  readonly #now: () => number;
  readonly #sweep: Sweep;
  readonly #uploads = new Map<string, number>();
  #waitingSamples = 0;
  /** What is being done to the speech of a message: one thing after the other. */
  readonly #speechWork = new Map<string, Promise<void>>();

  constructor(deps: RecordingsDependencies) {
    this.#deps = deps;
    this.#bounds = { ...defaultBounds, ...deps.bounds };
    this.#now = deps.now ?? Date.now;
    this.#sweep = new Sweep({ ...deps, now: this.#now });
  }

  /**
   * Takes what a customer said. It belongs to the message with the same words, which may come later or be there already;
   * also in a conversation that has ended meanwhile.
   * @param from the network address it is sent from
   * @param read reads the request: hands the audio to `keep`, once, and answers the transcript
   * @returns no address when they do not want recordings to be kept: it is read, checked and thrown away
   * @throws AppError not-found, conflict or rate-limited when there is no room, what is wrong with the recording, and what a
   *   scan throws
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
      // A byte more is as good as any: whether the recording itself fits is asked again when its length is known.
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
      // Deleting the conversation takes the folder from under a file that is being written.
      const room = await repository.room(scope, conversationId, 0, this.#bounds).catch(() => null);
      throw room === 'missing' ? notFound('conversation') : error;
    } finally {
      if (kept && !isStored) await this.#remove(key);
      end();
    }
  }

  /** Gives a message that was just stored the recording that waits for its words. Never rejects. */
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
   * Keeps how a reply was spoken, in the background. Without any speech nothing is kept.
   * @param playedMs of an interrupted reply: how much of it was played, in milliseconds
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
   * Keeps what a customer said hands-free, in the background. A message that has a recording already keeps that one.
   * Under more sound than can be encoded some is not kept; no turn ever waits for it or fails by it.
   * @param message the customer's message, stored
   * @param sound nobody may change its samples any more
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

  /** Shortens the recording of a reply to what was played of it, in the background. */
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
   * How messages of these conversations can be played, by the message's id.
   * @param viewerId whom the links are made for: they end with the viewer's sessions
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

  /** Every recording of a conversation, the oldest first, with the end of a file's name that says what it is. */
  async ofConversation(
    scope: ContactScope,
    conversationId: string,
  ): Promise<(RecordingRecord & { extension: string })[]> {
    const rows = await this.#deps.repository.ofConversation(scope, conversationId);
    return rows.map((row) => ({ ...row, extension: extensionOf(row) }));
  }

  /** Links to the recordings of messages in these conversations, by the message's id. */
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
   * A recording of a conversation that the asker may look at, or that a signed link leads to.
   * @throws AppError not-found; forbidden for a link that is wrong, has expired, ended with a session of the viewer whom it
   *   was made for, or leads to what they may not look at any more
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

  /** Contacts hear what is theirs; colleagues what they may look at by now. */
  async #mayStillHear({ id, contactId }: RecordingRecord, viewerId: string | undefined): Promise<boolean> {
    if (viewerId === contactId || viewerId === undefined) return true;
    const sight = await this.#deps.repository.sightOf(viewerId);
    return sight !== null && (await this.#deps.repository.findSeen(sight, id)) !== null;
  }

  /** @throws AppError not-found when its bytes have gone */
  async open(recording: RecordingRecord, range?: { start: number; end: number }): Promise<Readable> {
    const stream = await this.#deps.store.open(recording.storageKey, range);
    if (!stream) throw notFound('recording');
    return stream;
  }

  /** Removes the bytes of a conversation that has been deleted. @throws what the media store throws; the sweep catches what fails */
  async forget(conversationId: string): Promise<void> {
    await this.#deps.store.delete(this.#keyOf(conversationId, ''));
  }

  /** Removes bytes that no recording has, and recordings whose message never came. Never rejects. */
  sweep(): Promise<void> {
    return this.#sweep.run();
  }

  /** Resolves when nothing goes on in the background. */
  async idle(): Promise<void> {
    while (this.#speechWork.size > 0) await Promise.all(this.#speechWork.values());
  }

  /** Finishes what goes on in the background, within `limitMs`. */
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

  /** Makes links to recordings that end with any session of the viewer. Those of others than the contact name the viewer. */
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

/** How a file with this recording ends. */
export const extensionOf = ({ mediaType }: Pick<RecordingRecord, 'mediaType'>): string =>
  extensions[mediaType] ?? 'bin';

export const audioMissing = () => invalidInput('conversations.recording-missing', 'audio');
export const transcriptMissing = () => invalidInput('conversations.transcript-missing', 'transcript');
export const transcriptTooLong = () =>
  invalidInput(refusal('conversations.transcript-too-long', { max: MAX_MESSAGE_CHARACTERS }), 'transcript');

const bondOf = (viewerId: string, linkVersion: number) => `${viewerId} ${linkVersion}`;

const pathOf = (id: string) => `/api/recordings/${id.toLowerCase()}`;

/** Words as they are compared: how they are spaced does not matter. */
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
    // Read to its end, so that it is checked as one that is kept.
  }
}
