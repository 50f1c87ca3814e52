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
  /** The agent that the conversation must be with; absent: whichever it is with. */
  agentId?: string | undefined;
  /** In Hz. */
  sampleRate: number;
  mode: 'hands-free' | 'push-to-talk';
  /** `false`: replies to what is said hands-free come as text alone. */
  voice: boolean;
}

/** What somebody who speaks is told. */
export interface SpeakingClient {
  readonly id: string;
  /** Hears the turns that are taken of what it says. */
  readonly turns: TurnListener;
  transcript(conversationId: string, text: string, isFinal: boolean): void;
  activity(conversationId: string, isSpeaking: boolean): void;
  bargeIn(conversationId: string, phase: 'hold' | 'release' | 'interrupt'): void;
  /** Something went wrong and the stream goes on; `message` is what could not be taken. */
  refused(conversationId: string, error: unknown, message?: { clientMessageId: string; text: string }): void;
  /** The server ended the stream. @param text what a push to talk was understood to say until then */
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
  /** Tells taking turns what the agent is saying aloud; see `TurnTaking.agentSays`. */
  agentSays: TurnTaking['agentSays'];
  /** Keeps what was said, in the background. */
  keepUtterance(
    scope: ContactScope,
    message: { id: string; conversationId: string },
    sound: { samples: Float32Array; sampleRate: number },
  ): void;
  onUnexpected(error: unknown): void;
  /** Milliseconds that only ever grow. */
  now(): number;
}

/** What becomes of what is heard on one stream. */
export interface Hearing {
  readonly listener: Omit<TurnTakingListener, 'failed'>;
  /** What a push to talk was understood to say so far. */
  readonly understood: string;
  /** Listening begins. */
  open(): void;
  /** The reply that the loudspeaker begins; null when the agent's voice has ended. */
  playback(responseId: string | null): void;
  /** A sentence of a reply that goes out to the client. */
  sentence(sentence: ReplySentence): void;
  /** A reply that was told to the client. */
  replied(reply: FinishedReply): void;
  /** Nothing more is heard. `takesStanding`: what was said, unless the customer had gone on, is taken. */
  close(takesStanding: boolean): void;
  /** Resolves when everything that is taken is stored or refused. */
  settled(): Promise<void>;
  /** Nothing more was said. @returns the whole of a push to talk */
  conclude(): string;
}
