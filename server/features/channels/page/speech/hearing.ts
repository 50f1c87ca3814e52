import type { SilenceLimits } from '#server/features/floor/silence';
import type { ReplySentence } from '#server/features/floor/surroundings';
import type { FinishedReply, TurnListener } from '#server/features/turns/call-events';
import type { CallsService } from '#server/features/turns/service';
import type { AppError } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import type { TurnTaking, TurnTakingListener } from '#server/listening/contract';

export interface SpeechRequest {
  scope: ContactScope;
  conversationId: string;
  /** The required agent of the conversation; absent: any. */
  agentId?: string | undefined;
  /** In Hz. */
  sampleRate: number;
  mode: 'hands-free' | 'push-to-talk';
  /** `false`: replies to hands-free speech come as text only. */
  voice: boolean;
}

/** Events for a speaking client. */
export interface SpeakingClient {
  readonly id: string;
  /** The listener of its turns. */
  readonly turns: TurnListener;
  transcript(conversationId: string, text: string, isFinal: boolean): void;
  activity(conversationId: string, isSpeaking: boolean): void;
  bargeIn(conversationId: string, phase: 'hold' | 'release' | 'interrupt'): void;
  /** An utterance failed and the stream continues; `message` is the text that failed. */
  refused(conversationId: string, error: unknown, message?: { clientMessageId: string; text: string }): void;
  /** The server ended the stream. @param text recognised of a push to talk until then */
  ended(conversationId: string, why: AppError, text: string | undefined): void;
}

export interface HearingContext {
  request: SpeechRequest;
  client: SpeakingClient;
  calls: Pick<
    CallsService,
    'takeTurn' | 'think' | 'stopThinking' | 'stop' | 'wordsOf' | 'askWhetherThere' | 'hangUp'
  >;
  silence: SilenceLimits;
  /** Tells endpointing what the agent is saying; see `TurnTaking.agentSays`. */
  agentSays: TurnTaking['agentSays'];
  /** Stores the audio of an utterance, in the background. */
  keepUtterance(
    scope: ContactScope,
    message: { id: string; conversationId: string },
    sound: { samples: Float32Array; sampleRate: number },
  ): void;
  onUnexpected(error: unknown): void;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Uses the recognised speech of one stream. */
export interface Hearing {
  readonly listener: Omit<TurnTakingListener, 'failed'>;
  /** The text of a push to talk so far. */
  readonly understood: string;
  /** Listening begins. */
  open(): void;
  /** The reply that the loudspeaker begins; null when the agent's voice has ended. */
  playback(responseId: string | null): void;
  /** A sentence of a reply on its way to the client. */
  sentence(sentence: ReplySentence): void;
  /** A reply that was sent to the client. */
  replied(reply: FinishedReply): void;
  /** The stream is over. `takesStanding`: takes the last utterance, unless the customer had continued. */
  close(takesStanding: boolean): void;
  /** Resolves when every taken utterance is stored or refused. */
  settled(): Promise<void>;
  /** Ends recognition. @returns the whole text of a push to talk */
  conclude(): string;
}
