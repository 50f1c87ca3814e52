import { z } from 'zod';
import type { DemoAgent } from './agents.ts';
import {
  type Author,
  type Citation,
  type Contact,
  MAX_MESSAGE_CHARACTERS,
  type Outcome,
  type Sentiment,
} from './conversations.ts';
import type { ErrorBody, ErrorCode } from './errors.ts';
import { refusal, sentenceOf } from './refusals/refusal.ts';
import { storable } from './storable.ts';

/** What a client sends in the Socket.IO handshake's `auth`. */
export const handshakeAuthSchema = z.object({
  token: z.string().min(1),
  /** Requests `ai_response_chunk` events; `ai_response` then comes without audio. */
  streaming: z.boolean().optional(),
});

const agentInfoSchema = z
  .object({
    name: z.string().max(200).optional(),
    company: z.string().max(400).optional(),
    personality: z.string().max(8_000).optional(),
    companyInfo: z.string().max(400_000).optional(),
    prompts: z.array(z.string().max(8_000)).max(200).optional(),
  })
  .optional();

export const startConversationSchema = z.object({
  /** Who a member says they are; a visit says it of a visitor. */
  userId: z.string().min(1).max(100).optional(),
  isCallSimulator: z.boolean().optional(),
  agentId: z.string().min(1).max(100).optional(),
  /** Shown by the client, never trusted: the server answers from its own stored agent. */
  agentInfo: agentInfoSchema,
  /** An open conversation of this user to continue, so that a reconnect does not start a second one. */
  conversationId: z.string().min(1).max(100).optional(),
  /** `false` requests a welcome without audio. */
  voice: z.boolean().optional(),
});
export type StartConversation = z.infer<typeof startConversationSchema>;

export const userMessageSchema = z.object({
  conversationId: z.string().min(1).max(100),
  message: z
    .string()
    .overwrite(storable)
    .refine((text) => text.trim().length > 0, sentenceOf('conversations.message-missing'))
    .refine(
      (text) => text.length <= MAX_MESSAGE_CHARACTERS,
      sentenceOf(refusal('conversations.message-too-long', { max: MAX_MESSAGE_CHARACTERS })),
    ),
  isCallSimulator: z.boolean().optional(),
  userId: z.string().max(100).optional(),
  agentId: z.string().max(100).optional(),
  agentInfo: agentInfoSchema,
  /** Made by the client; repeating it stores and answers the message only once. */
  clientMessageId: z.string().min(1).max(100).optional(),
  /** `false` requests text only. */
  voice: z.boolean().optional(),
});
export type UserMessage = z.infer<typeof userMessageSchema>;

export const interruptSchema = z.object({
  conversationId: z.string().min(1).max(100),
  responseId: z.string().min(1).max(100),
  /** Milliseconds of the reply's audio already played. */
  heardMs: z.number().min(0).max(3_600_000),
});
export type Interrupt = z.infer<typeof interruptSchema>;

/** Sample rates that a microphone may have, in Hz. */
const MIN_SAMPLE_RATE = 8_000;
const MAX_SAMPLE_RATE = 96_000;
/** The most bytes of one `speech_audio`: a second at the highest rate. */
export const MAX_SPEECH_AUDIO_BYTES = 2 * MAX_SAMPLE_RATE;

export const speechStartSchema = z.object({
  conversationId: z.string().min(1).max(100),
  sampleRate: z
    .number()
    .int()
    .refine(
      (rate) => rate >= MIN_SAMPLE_RATE && rate <= MAX_SAMPLE_RATE,
      sentenceOf(refusal('calls.sample-rate', { min: MIN_SAMPLE_RATE, max: MAX_SAMPLE_RATE })),
    ),
  /**
   * `push-to-talk` (the default): `speech_end` marks the end of the utterance, a final `transcript` is the answer, and
   * the client sends it as a user_message. `hands-free`: the server finds the end of each utterance and takes it as a
   * message itself (`message_stored` comes back), until `speech_end`.
   */
  mode: z.enum(['push-to-talk', 'hands-free']).optional(),
  /** `false`: replies to hands-free speech come as text only. */
  voice: z.boolean().optional(),
});
export type SpeechStart = z.infer<typeof speechStartSchema>;

export const speechEndSchema = z.object({
  conversationId: z.string().min(1).max(100),
  /** Discards everything that is not yet a message. */
  discard: z.boolean().optional(),
});
export type SpeechEnd = z.infer<typeof speechEndSchema>;

/**
 * What the loudspeaker plays, so that the server notices speech over the agent. Not sent for effects of `barge_in`: the
 * server knows about its own `hold` and `release`.
 */
export const playbackSchema = z.object({
  conversationId: z.string().min(1).max(100),
  /** The reply playing from now on (the `_id` of a welcome); null when the agent's voice has ended. */
  responseId: z.string().min(1).max(100).nullable(),
});
export type Playback = z.infer<typeof playbackSchema>;

/** The recognised text. A final one ends an utterance; it is '' if nothing was understood. */
export interface Transcript {
  conversationId: string;
  text: string;
  isFinal: boolean;
}

/** Whether the server detects speech. */
export interface SpeechActivity {
  conversationId: string;
  isSpeaking: boolean;
}

/** The next sound from the microphone. An `index`, from 0 within one stream, reveals lost chunks. */
type SpeechAudio = ArrayBuffer | { index: number; audio: ArrayBuffer };

/**
 * The server ended a stream by itself; `message` gives the reason. `text` holds the words of a push to talk recognised
 * until then. Later chunks of the stream are refused by acknowledgement only.
 */
export interface SpeechEnded {
  conversationId: string;
  message: string;
  code: ErrorCode;
  /** Whether speaking again may help. */
  retryable: boolean;
  text?: string;
}

/**
 * Speech over the agent's voice. `hold`: pause it at once; if none is playing yet, start none. Then `release`: continue
 * where it was paused (a "mhm", a cough), or `interrupt`: the customer takes the floor; the client stops the voice and
 * sends `interrupt` with its playout position.
 */
export interface BargeIn {
  conversationId: string;
  phase: 'hold' | 'release' | 'interrupt';
}

/** Base64 audio with its media type, as the page plays it. */
export interface SpokenAudio {
  audioUrl?: string;
  audioData?: string;
  audioType?: string;
}

export interface WelcomeMessage extends SpokenAudio {
  _id: string;
  author: Author;
  content: string;
  role: 'assistant';
  timestamp: string;
}

/** A stored message as a client that resumes a conversation needs it. */
export interface ResumedMessage {
  _id: string;
  role: 'user' | 'assistant';
  author: Author;
  content: string;
  timestamp: string;
  /** Link to its audio, relative to the API's host. */
  audioUrl?: string;
  clientMessageId?: string;
  interrupted?: true;
  citations?: Citation[];
  outcome?: Outcome;
}

export interface ConversationStarted {
  conversationId: string;
  demoAgent: DemoAgent;
  /** Absent when an open conversation continues. */
  welcomeMessage?: WelcomeMessage;
  /** Present when an open conversation continues: all messages so far, oldest first. */
  messages?: ResumedMessage[];
  /** The last of `messages` is already being answered for another client: asking again would answer twice. */
  answering?: true;
}

export interface AiResponse extends SpokenAudio {
  conversationId: string;
  responseId: string;
  /** Id of the stored assistant message. */
  messageId: string;
  /** The author of the message. */
  author: Author;
  /** Id of the user message that it answers; absent if it answers none. */
  replyTo?: string;
  /** The whole reply; of an interrupted one, the part that was played (possibly nothing). */
  message: string;
  interrupted?: true;
  demoAgent: DemoAgent;
  citations?: Citation[];
  outcome?: Outcome;
  /** `busy`: it came as text, or continued as text, because others were waiting for the voice. */
  voice?: 'busy';
  timestamp: string;
}

export interface AiResponseChunk {
  conversationId: string;
  responseId: string;
  author: Author;
  /** Counts from 0 within one reply. */
  index: number;
  text: string;
  audioData?: string;
  audioType?: string;
  isLast: boolean;
}

export interface RealtimeError {
  message: string;
  code: ErrorCode;
  /** Stable key of the sentence, by which clients translate it, and the values filled in. */
  key?: string;
  values?: ErrorBody['values'];
  retryable: boolean;
  conversationId?: string;
  /** The message that failed: sending it again under this id stores and answers it once. */
  clientMessageId?: string;
  /** Hands-free words that could not become a message, so that they are not lost. */
  text?: string;
}

/** A customer's message that another tab of the same conversation sent. */
export interface MessageStored {
  conversationId: string;
  message: ResumedMessage;
}

export interface ConversationUpdated {
  conversationId: string;
  title?: string;
  sentiment?: Sentiment;
  outcome?: Outcome;
  contact?: Contact;
}

type Refused = { ok: false; error: RealtimeError };
export type StartConversationAck = { ok: true; conversationId: string } | Refused;
/** `message` is the stored text, if part of it was masked. */
export type UserMessageAck = { ok: true; messageId: string; message?: string } | Refused;
/** `text` is the final transcript of a push to talk. */
export type SpeechAck = { ok: true; text?: string } | Refused;
/** `message` is the text now stored of the reply. */
export type InterruptAck = { ok: true; message?: string } | Refused;

export interface ServerToClientEvents {
  conversation_started: (event: ConversationStarted) => void;
  ai_response: (event: AiResponse) => void;
  ai_response_chunk: (event: AiResponseChunk) => void;
  typing: (isTyping: boolean) => void;
  error: (event: RealtimeError) => void;
  /** Asks a client that lost its conversation to start again; it answers with its own start_conversation. */
  start_conversation: (event: { userId: string }) => void;
  conversation_updated: (event: ConversationUpdated) => void;
  /**
   * Sent to the other tabs of the conversation, not to the one that sent the message; hands-free speech also to the
   * speaking one.
   */
  message_stored: (event: MessageStored) => void;
  transcript: (event: Transcript) => void;
  speech_activity: (event: SpeechActivity) => void;
  barge_in: (event: BargeIn) => void;
  speech_ended: (event: SpeechEnded) => void;
}

export interface ClientToServerEvents {
  start_conversation: (payload: StartConversation, ack?: (answer: StartConversationAck) => void) => void;
  user_message: (payload: UserMessage, ack?: (answer: UserMessageAck) => void) => void;
  interrupt: (payload: Interrupt, ack?: (answer: InterruptAck) => void) => void;
  speech_start: (payload: SpeechStart, ack?: (answer: SpeechAck) => void) => void;
  /** PCM16 little-endian, mono, in the order it was recorded. */
  speech_audio: (payload: SpeechAudio, ack?: (answer: SpeechAck) => void) => void;
  speech_end: (payload: SpeechEnd, ack?: (answer: SpeechAck) => void) => void;
  playback: (payload: Playback, ack?: (answer: SpeechAck) => void) => void;
}
