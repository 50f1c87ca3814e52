import type { RecordingsService } from '#server/features/conversations/recordings/service';
import type { ConversationFace, MessageRecord } from '#server/features/conversations/service';
import type { ContactScope } from '#server/lib/scope';
import type { FinishedReply } from './call-events.ts';

/** A stored reply, for a client that asks for it again. */
export async function toldAgain(
  recordings: Pick<RecordingsService, 'urlOf'> | undefined,
  scope: ContactScope,
  conversation: ConversationFace,
  reply: MessageRecord,
): Promise<FinishedReply> {
  return {
    conversationId: conversation.id,
    responseId: reply.responseId ?? reply.id,
    message: reply,
    agent: { name: conversation.agentName, companyName: conversation.companyName },
    sentences: [],
    audioUrl: await recordings?.urlOf(scope, reply.id),
  };
}
