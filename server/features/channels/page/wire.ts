import { presentAuthor, type SaidMessage } from '#server/features/conversations/service';
import type { AgentFace, FinishedReply, StartedCall, ToldSentence } from '#server/features/turns/call-events';
import type { DemoAgent } from '#shared/agents';
import type { Author } from '#shared/conversations';
import type {
  AiResponse,
  AiResponseChunk,
  ConversationStarted,
  ResumedMessage,
  SpokenAudio,
} from '#shared/realtime';

/** @param audio of the welcome */
export function toConversationStarted(call: StartedCall, audio: SpokenAudio): ConversationStarted {
  const { welcome, messages, audioUrls } = call;
  return {
    conversationId: call.conversationId,
    demoAgent: toDemoAgent(call.agent),
    ...(welcome
      ? {
          welcomeMessage: {
            _id: welcome.id,
            author: { kind: 'agent' },
            content: welcome.text,
            role: 'assistant',
            timestamp: welcome.at.toISOString(),
            ...audio,
          },
        }
      : {}),
    ...(messages
      ? { messages: messages.map((message) => toResumedMessage(message, audioUrls?.get(message.id))) }
      : {}),
    ...(call.isAnswering ? { answering: true } : {}),
  };
}

export function toChunk(sentence: ToldSentence, audio: SpokenAudio): AiResponseChunk {
  const { conversationId, responseId, index, text, isLast, author } = sentence;
  const by: Author =
    author?.kind === 'colleague' ? { kind: 'colleague', name: author.name } : { kind: 'agent' };
  return { conversationId, responseId, author: by, index, text, isLast, ...audio };
}

/** @param audio of the whole reply; none for clients that got it by sentences, or did not ask for it */
export function toAiResponse(reply: FinishedReply, audio: SpokenAudio = {}): AiResponse {
  const { message } = reply;
  return {
    conversationId: reply.conversationId,
    responseId: reply.responseId,
    messageId: message.id,
    author: presentAuthor(message),
    ...(message.replyTo === null ? {} : { replyTo: message.replyTo }),
    message: message.content,
    demoAgent: toDemoAgent(reply.agent),
    timestamp: message.createdAt.toISOString(),
    ...(message.interrupted ? { interrupted: true } : {}),
    ...(message.citations?.length ? { citations: message.citations } : {}),
    ...(message.outcome ? { outcome: message.outcome } : {}),
    ...(reply.isVoiceBusy ? { voice: 'busy' } : {}),
    ...audio,
    ...(reply.audioUrl ? { audioUrl: reply.audioUrl } : {}),
  };
}

function toResumedMessage(message: SaidMessage, audioUrl?: string): ResumedMessage {
  return {
    _id: message.id,
    role: message.role === 'user' ? 'user' : 'assistant',
    author: presentAuthor(message),
    content: message.content,
    timestamp: message.createdAt.toISOString(),
    ...(audioUrl ? { audioUrl } : {}),
    ...(message.clientMessageId ? { clientMessageId: message.clientMessageId } : {}),
    ...(message.interrupted ? { interrupted: true } : {}),
    ...(message.citations?.length ? { citations: message.citations } : {}),
    ...(message.outcome ? { outcome: message.outcome } : {}),
  };
}

const toDemoAgent = (agent: AgentFace): DemoAgent => ({ name: agent.name, company: agent.companyName });
