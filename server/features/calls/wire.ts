import type { Speech } from '#server/engines/synthesis/contract';
import type { SaidMessage } from '#server/features/conversations/service';
import type { DemoAgent } from '#shared/agents';
import type {
  AiResponse,
  AiResponseChunk,
  ConversationStarted,
  ResumedMessage,
  SpokenAudio,
} from '#shared/realtime';
import type { AgentFace, FinishedReply, StartedCall } from './call-events.ts';
import type { SpokenSentence } from './speak-in-order.ts';

export function toConversationStarted(call: StartedCall): ConversationStarted {
  const { welcome, messages, audioUrls } = call;
  return {
    conversationId: call.conversationId,
    demoAgent: toDemoAgent(call.agent),
    ...(welcome
      ? {
          welcomeMessage: {
            _id: welcome.id,
            content: welcome.text,
            role: 'assistant',
            timestamp: welcome.at.toISOString(),
            ...toAudio(welcome.speech ? [welcome.speech] : []),
          },
        }
      : {}),
    ...(messages
      ? { messages: messages.map((message) => toResumedMessage(message, audioUrls?.get(message.id))) }
      : {}),
    ...(call.isAnswering ? { answering: true } : {}),
  };
}

export function toChunk(
  sentence: SpokenSentence & { conversationId: string; responseId: string },
): AiResponseChunk {
  const { conversationId, responseId, index, text, isLast, speech } = sentence;
  return { conversationId, responseId, index, text, isLast, ...toAudio(speech ? [speech] : []) };
}

/** @param withAudio false for clients that got the audio sentence by sentence, or did not ask for the reply */
export function toAiResponse(reply: FinishedReply, withAudio: boolean): AiResponse {
  const { message } = reply;
  const speeches = reply.sentences.flatMap(({ speech }) => (speech ? [speech] : []));
  return {
    conversationId: reply.conversationId,
    responseId: reply.responseId,
    messageId: message.id,
    replyTo: message.replyTo ?? message.id,
    message: message.content,
    demoAgent: toDemoAgent(reply.agent),
    timestamp: message.createdAt.toISOString(),
    ...(message.interrupted ? { interrupted: true } : {}),
    ...(message.citations?.length ? { citations: message.citations } : {}),
    ...(message.outcome ? { outcome: message.outcome } : {}),
    ...(withAudio ? toAudio(speeches) : {}),
    ...(reply.audioUrl ? { audioUrl: reply.audioUrl } : {}),
  };
}

function toResumedMessage(message: SaidMessage, audioUrl?: string): ResumedMessage {
  return {
    _id: message.id,
    role: message.role === 'user' ? 'user' : 'assistant',
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

/** Files of one engine can be joined end to end. */
export function toAudio(speeches: readonly Speech[]): SpokenAudio {
  const [first] = speeches;
  if (!first) return {};
  const audioData = Buffer.concat(speeches.map((speech) => speech.audio)).toString('base64');
  return { audioData, audioType: first.mediaType };
}
