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
  /** Asks for `ai_response_chunk` events; `ai_response` then comes without audio. */
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
  /** An open conversation of this user to go on with, so that a reconnect makes no second one. */
  conversationId: z.string().min(1).max(100).optional(),
  /** `false` asks for a welcome without audio. */
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
  /** Made by the client; the same one again stores and answers once. */
  clientMessageId: z.string().min(1).max(100).optional(),
  /** `false` asks for text alone. */
  voice: z.boolean().optional(),
});
export type UserMessage = z.infer<typeof userMessageSchema>;

export const interruptSchema = z.object({
  conversationId: z.string().min(1).max(100),
  responseId: z.string().min(1).max(100),
  /** Milliseconds of the reply's audio that left the loudspeaker. */
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
   * `push-to-talk` (the default): `speech_end` says when the customer is done, a final `transcript` is the answer, and
   * the client sends it as a user_message. `hands-free`: the server finds the end of each utterance and takes it as a
   * message itself (`message_stored` comes back), until `speech_end`.
   */
  mode: z.enum(['push-to-talk', 'hands-free']).optional(),
  /** `false`: replies to what is said hands-free come as text alone. */
  voice: z.boolean().optional(),
});
export type SpeechStart = z.infer<typeof speechStartSchema>;

export const speechEndSchema = z.object({
  conversationId: z.string().min(1).max(100),
  /** Nothing of what is not yet taken is to be used. */
  discard: z.boolean().optional(),
});
export type SpeechEnd = z.infer<typeof speechEndSchema>;

/**
 * What the loudspeaker does, so that the server knows when somebody speaks over the agent. Not sent for what `barge_in`
 * brings about: a `hold` and a `release` are known.
 */
export const playbackSchema = z.object({
  conversationId: z.string().min(1).max(100),
  /** The reply that is heard from now on (the `_id` of a welcome); null when the agent's voice has ended. */
  responseId: z.string().min(1).max(100).nullable(),
});
export type Playback = z.infer<typeof playbackSchema>;

/** What was heard of the customer. A final one ends an utterance; it is '' where nothing was understood. */
export interface Transcript {
  conversationId: string;
  text: string;
  isFinal: boolean;
}

/** Whether the server hears somebody speak. */
export interface SpeechActivity {
  conversationId: string;
  isSpeaking: boolean;
}

/** The next sound from the microphone. With an `index`, from 0 within one stream, a chunk that is lost is noticed. */
type SpeechAudio = ArrayBuffer | { index: number; audio: ArrayBuffer };

/**
 * The server ended a stream by itself; `message` says why. What was understood of a push to talk until then is in `text`.
 * What still comes of the stream is refused by acknowledgement alone.
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
 * Speech over the agent's voice. `hold`: pause it at once; where none is heard yet, start none. Then `release`: go on
 * where it was (a "mhm", a cough), or `interrupt`: the customer takes the floor; the client stops the voice and sends
 * `interrupt` with what was heard.
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
  /** Link to hear it, relative to the API's host. */
  audioUrl?: string;
  clientMessageId?: string;
  interrupted?: true;
  citations?: Citation[];
  outcome?: Outcome;
}

export interface ConversationStarted {
  conversationId: string;
  demoAgent: DemoAgent;
  /** Absent when an open conversation goes on. */
  welcomeMessage?: WelcomeMessage;
  /** Present when an open conversation goes on: everything said so far, oldest first. */
  messages?: ResumedMessage[];
  /** Another client asked what is last in `messages` and is being answered: asking again would answer both. */
  answering?: true;
}

export interface AiResponse extends SpokenAudio {
  conversationId: string;
  responseId: string;
  /** Id of the stored assistant message. */
  messageId: string;
  /** Who says it. */
  author: Author;
  /** Id of the user message it answers; absent: it answers none. */
  replyTo?: string;
  /** The whole reply; of an interrupted one, what was heard (possibly nothing). */
  message: string;
  interrupted?: true;
  demoAgent: DemoAgent;
  citations?: Citation[];
  outcome?: Outcome;
  /** `busy`: it came as text alone, or went on as text, since others were waiting for the voice. */
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
  /** Stable name of the sentence, by which clients translate it, and what it is filled with. */
  key?: string;
  values?: ErrorBody['values'];
  retryable: boolean;
  conversationId?: string;
  /** The message that could not be taken or answered: sending it again under this id stores and answers it once. */
  clientMessageId?: string;
  /** What was said hands-free and could not be taken as a message, so that nothing said is lost. */
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
/** `message` is what was stored, where something was left out of it. */
export type UserMessageAck = { ok: true; messageId: string; message?: string } | Refused;
/** `text` is the final transcript of a push to talk. */
export type SpeechAck = { ok: true; text?: string } | Refused;
/** `message` is what is stored of the reply now. */
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
   * Goes to the other tabs that have joined the conversation, never to the one that sent the message; of what was
   * spoken hands-free to that one, too.
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
