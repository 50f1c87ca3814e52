import type { RecognitionEngine } from '#server/engines/recognition/contract';
import type { Seat, SharedState } from '#server/engines/shared-state/contract';
import type { VoiceActivityEngine } from '#server/engines/voice-activity/contract';
import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationsService } from '#server/features/conversations/service';
import { defaultSilenceLimits, type SilenceLimits } from '#server/features/floor/silence';
import type { ReplySentence } from '#server/features/floor/surroundings';
import type { FinishedReply } from '#server/features/turns/call-events';
import type { CallsService } from '#server/features/turns/service';
import { appErrorOf } from '#server/lib/app-error-of';
import {
  conflict,
  conversationEnded,
  inItsWords,
  notFound,
  restarting,
  unavailable,
} from '#server/lib/errors';
import { accountOf } from '#server/lib/scope';
import { within } from '#server/lib/wait';
import type { TurnTaking, TurnTakingOptions } from '#server/listening/contract';
import { refusal } from '#shared/refusals/refusal';
import type { SpeakingClient, SpeechRequest } from './hearing.ts';
import type { SoundChunk } from './sound.ts';
import { SpeechStream, type SpeechSurroundings } from './stream.ts';

export type { SpeakingClient } from './hearing.ts';

export interface SpeechDependencies {
  calls: CallsService;
  conversations: ConversationsService;
  ears: { recognition: RecognitionEngine; voiceActivity: VoiceActivityEngine };
  listen(options: TurnTakingOptions): TurnTaking;
  /** Keeps what customers say hands-free; without it nothing of that is kept. */
  recordings?: Pick<RecordingsService, 'keepUtterance'>;
  /** How long what somebody says now would wait until it is understood, in milliseconds. */
  earsWaitMs(): number;
  /** Counts the microphones of an account over all instances. */
  sharedState: Pick<SharedState, 'take'>;
  onFailure(error: unknown): void;
  limits?: Partial<SpeechLimits>;
  /** Milliseconds that only ever grow. */
  now?: () => number;
}

interface SpeechLimits {
  /** Microphones of one user that may be on at once, at all instances, each in a conversation of its own. */
  streamsPerUser: number;
  /** Microphones of everybody at this instance: each holds the sound of its utterance, up to a few megabytes. */
  streams: number;
  /** Nobody new speaks hands-free while an answer would wait so long for the voice of others. */
  voiceWaitMs: number;
  /** Nobody new speaks at all while what they say would wait so long to be understood. */
  earsWaitMs: number;
  silence: SilenceLimits;
}

const defaultLimits: SpeechLimits = {
  streamsPerUser: 3,
  streams: 200,
  voiceWaitMs: 2_500,
  earsWaitMs: 3_000,
  silence: defaultSilenceLimits,
};
/** What is being recognised when the server closes may be finished within this time. */
const LAST_WORDS_MS = 3_000;

/** People who speak with an agent on the page: one microphone a client, one a conversation. */
export class SpeechService {
  readonly #deps: SpeechDependencies;
  readonly #limits: SpeechLimits;
  readonly #around: SpeechSurroundings;
  /** The newest stream of each client, also when it has ended: what still comes of it is told why it is not taken. */
  readonly #byClient = new Map<string, SpeechStream>();
  /** Streams that take room. */
  readonly #open = new Set<SpeechStream>();
  #isClosing = false;

  constructor(deps: SpeechDependencies) {
    this.#deps = deps;
    this.#limits = { ...defaultLimits, ...deps.limits };
    const { recognition, voiceActivity } = deps.ears;
    this.#around = {
      calls: deps.calls,
      silence: this.#limits.silence,
      listen: (options) => deps.listen({ ...options, recognition, voiceActivity }),
      keepUtterance: (scope, message, sound) => deps.recordings?.keepUtterance(scope, message, sound),
      onUnexpected: deps.onFailure,
      now: deps.now ?? (() => performance.now()),
    };
    deps.conversations.onClosing(({ conversationId, reason }) => {
      for (const stream of this.#streamsIn(conversationId))
        stream.cut(reason === 'ended' ? conversationEnded() : notFound('conversation'));
    });
  }

  /**
   * Switches a client's microphone on. Sound may follow at once. Another microphone of the same client, or in the
   * same conversation, is switched off.
   * @throws AppError not-found, conversation-ended, conflict for too many microphones, unavailable without ears
   */
  async start(request: SpeechRequest, client: SpeakingClient): Promise<void> {
    this.leave(client.id);
    this.#refuseTooMany(request);
    const seat = this.#deps.sharedState.take(
      `microphones of ${accountOf(request.scope)}`,
      this.#limits.streamsPerUser,
    );
    const stream = new SpeechStream(request, client, this.#around, () => {
      this.#open.delete(stream);
      void seat.then((taken) => taken?.release());
    });
    this.#open.add(stream);
    this.#byClient.set(client.id, stream);
    await this.#openStream(stream, seat);
  }

  /**
   * Takes the next sound of a client's microphone.
   * @throws AppError for sound that is not taken
   */
  accept(clientId: string, sound: SoundChunk): void {
    const stream = this.#byClient.get(clientId);
    if (!stream) throw silent();
    stream.accept(sound);
  }

  /** Microphones that are on, and how many may be. */
  get seats(): { taken: number; max: number } {
    return { taken: this.#open.size, max: this.#limits.streams };
  }

  /** Whether a client knows already that its stream takes no more sound. */
  isOver(clientId: string): boolean {
    return this.#byClient.get(clientId)?.closed != null;
  }

  /**
   * Switches a client's microphone off.
   * @returns what a push to talk was understood to say; '' for nothing, and hands-free
   * @throws AppError conflict when it is not on, unavailable when what was said could not be recognised
   */
  async end(clientId: string, conversationId: string, discard: boolean): Promise<string> {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId !== conversationId) throw silent();
    return stream.end(discard);
  }

  /** The reply that a client's loudspeaker begins; null when the agent's voice has ended. */
  playback(clientId: string, conversationId: string, responseId: string | null): void {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId === conversationId) stream.playback(responseId);
  }

  /** A sentence of a reply that goes out to a client. */
  sentence(clientId: string, sentence: ReplySentence & { conversationId: string }): void {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId === sentence.conversationId) stream.sentence(sentence);
  }

  /** A reply that was told to a client as a whole. */
  replied(clientId: string, reply: FinishedReply): void {
    const stream = this.#byClient.get(clientId);
    if (stream?.request.conversationId === reply.conversationId) stream.replied(reply);
  }

  /** Forgets a client that has gone. What it had finished saying is taken. */
  leave(clientId: string): void {
    this.#byClient.get(clientId)?.leave();
    this.#byClient.delete(clientId);
  }

  /** This instance ends: whoever speaks is neither answered nor refused any more, and goes on where their call does. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Takes what was finished. What is being said is heard whole where the call goes on: whoever speaks keeps its sound
   * until it is understood. Before calls are closed.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    await within(LAST_WORDS_MS, Promise.all([...this.#open].map((stream) => stream.handOver())));
  }

  async #openStream(stream: SpeechStream, seat: Promise<Seat | null>): Promise<void> {
    const { scope, conversationId, agentId } = stream.request;
    try {
      if (!(await seat)) throw conflict('calls.speaking-in-other-tabs');
      const language = await this.#deps.calls.languageOf(scope, conversationId, agentId);
      this.#refuseDeafness();
      if (this.#isClosing) throw restarting();
      for (const other of this.#streamsIn(conversationId))
        if (other !== stream) void other.stop(conflict('calls.speaking-in-another-tab'));
      stream.open(language);
    } catch (error) {
      stream.refuse(appErrorOf(error));
      throw error;
    }
  }

  #streamsIn(conversationId: string): SpeechStream[] {
    const id = conversationId.toLowerCase();
    return [...this.#open].filter((stream) => stream.request.conversationId.toLowerCase() === id);
  }

  #refuseTooMany({ mode }: SpeechRequest): void {
    const { streams, voiceWaitMs, earsWaitMs } = this.#limits;
    const isLate = mode === 'hands-free' && this.#deps.calls.voiceWaitMs > voiceWaitMs;
    const isUnheard = this.#deps.earsWaitMs() > earsWaitMs;
    if (this.#open.size >= streams || isLate || isUnheard) throw unavailable('calls.too-many-speaking');
  }

  #refuseDeafness(): void {
    const { recognition, voiceActivity } = this.#deps.ears;
    for (const { state, progress, message } of [recognition.status(), voiceActivity.status()]) {
      if (state === 'fetching')
        throw unavailable(
          progress === undefined
            ? 'calls.ears-fetched'
            : refusal('calls.ears-fetched-in-part', { percent: Math.floor(progress * 100) }),
        );
      if (state === 'loading') throw unavailable('calls.ears-loading');
      if (state === 'failed') throw unavailable(inItsWords({ message }));
    }
  }
}

const silent = () => conflict('calls.microphone-off');
