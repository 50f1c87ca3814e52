import type { z } from 'zod';
import type { ConversationEvent, TurnListener } from '#server/features/turns/call-events';
import type { CallsService, StoredTurn } from '#server/features/turns/service';
import { AppError, forbidden, invalidInput } from '#server/lib/errors';
import { CALLERS, contactScopeOf } from '#server/lib/principal';
import type { ContactScope } from '#server/lib/scope';
import {
  MAX_PACKET_BYTES,
  type RealtimeChannel,
  type RealtimeClient,
  type RealtimeFeature,
  realtimeEvent,
  refuseBadPayload,
} from '#server/realtime/feature';
import {
  type ConversationUpdated,
  interruptSchema,
  startConversationSchema,
  userMessageSchema,
} from '#shared/realtime';
import { agentFor } from './agent-for.ts';
import type { SpeechService } from './speech/service.ts';
import { speechEvents } from './speech/socket.ts';
import { toAiResponse, toChunk, toConversationStarted } from './wire.ts';

const TEN_SECONDS_MS = 10_000;
/** Limits of events that may carry an agent's information. */
const WITH_AGENT = { bytes: MAX_PACKET_BYTES, attachments: 0 };

/**
 * Calls on the real-time channel. The client that asks gets its turn in full. Other clients of the same conversation,
 * such as a second tab, get the events needed to follow it (`message_stored`, `typing`, `ai_response`) without audio,
 * so that only one loudspeaker plays.
 */
export function callsFeature(calls: CallsService, speech: SpeechService): RealtimeFeature {
  const listeners = new WeakMap<RealtimeClient, TurnListener>();
  const listenerOf = (client: RealtimeClient): TurnListener => {
    const listener = listeners.get(client) ?? turnListener(client, calls, speech);
    listeners.set(client, listener);
    return listener;
  };

  return {
    attached: (channel) => calls.observe((event) => broadcast(channel, event)),
    left: (client) => {
      speech.leave(client.id);
      calls.leave(client.id);
    },
    events: {
      ...speechEvents(speech, {
        turnsOf: listenerOf,
        follow: (client, conversationId) => client.join(roomOf(conversationId)),
      }),

      start_conversation: realtimeEvent({
        serves: CALLERS,
        schema: startConversationSchema,
        perUser: { count: 20, windowMs: TEN_SECONDS_MS },
        packet: WITH_AGENT,
        refusal: refuseStart,
        async handle(client, payload, acknowledge) {
          const scope = contactScopeOf(client.principal);
          if (payload.userId !== undefined) refuseOtherUser(scope, payload.userId);
          else if (client.principal.kind === 'member') throw withoutUser();
          const agentId = agentFor(client.principal, payload.agentId);
          if (payload.isCallSimulator === false && !agentId && !payload.conversationId)
            throw invalidInput('calls.agent-missing');
          const { conversationId, voice } = payload;
          const channel = client.principal.kind === 'visitor' ? ('door' as const) : undefined;
          const request = { scope, agentId, channel, conversationId, voice };
          await calls.start(request, listenerOf(client), async (call) => {
            client.join(roomOf(call.conversationId));
            acknowledge({ ok: true, conversationId: call.conversationId });
            const audio = await calls.audioOf([call.welcome?.speech ?? null]);
            client.send('conversation_started', toConversationStarted(call, audio));
          });
        },
      }),

      user_message: realtimeEvent({
        serves: CALLERS,
        schema: userMessageSchema,
        perUser: { count: 60, windowMs: TEN_SECONDS_MS },
        packet: WITH_AGENT,
        async handle(client, payload, acknowledge) {
          const scope = contactScopeOf(client.principal);
          if (payload.userId !== undefined) refuseOtherUser(scope, payload.userId);
          const request = {
            scope,
            conversationId: payload.conversationId,
            text: payload.message,
            clientMessageId: payload.clientMessageId,
            agentId: agentFor(client.principal, payload.agentId),
            voice: payload.voice,
          };
          const onStored = ({ messageId, text, isMasked }: StoredTurn) => {
            client.join(roomOf(payload.conversationId));
            acknowledge({ ok: true, messageId, ...(isMasked ? { message: text } : {}) });
          };
          try {
            await calls.takeTurn(request, listenerOf(client), { onStored });
          } catch (error) {
            if (payload.isCallSimulator && isLostConversation(error))
              client.send('start_conversation', { userId: scope.contactId });
            throw error;
          }
        },
      }),

      interrupt: realtimeEvent({
        serves: CALLERS,
        schema: interruptSchema,
        perUser: { count: 60, windowMs: TEN_SECONDS_MS },
        async handle(client, { conversationId, responseId, heardMs: playedMs }, acknowledge) {
          const reply = { scope: contactScopeOf(client.principal), conversationId, responseId };
          const { content } = await calls.stop(reply, playedMs);
          acknowledge({ ok: true, message: content });
        },
      }),
    },
  };
}

const roomOf = (conversationId: string) => `conversation:${conversationId}`;

function turnListener(client: RealtimeClient, calls: CallsService, speech: SpeechService): TurnListener {
  /** Sentences are sent in order, however long each takes to be encoded. */
  let told = Promise.resolve();
  return {
    id: client.id,
    followsSentences: client.streaming,
    get isPresent() {
      return client.isConnected;
    },
    typing: (_conversationId, isTyping) => client.send('typing', isTyping),
    sentence: (sentence) => {
      speech.sentence(client.id, sentence);
      const audio = calls.audioOf([sentence.speech]);
      told = told.then(async () => {
        const chunk = toChunk(sentence, await audio);
        if (client.streaming) client.send('ai_response_chunk', chunk);
      });
      return told;
    },
    reply: async (reply) => {
      speech.replied(client.id, reply);
      const speeches = client.streaming ? [] : reply.sentences.map((sentence) => sentence.speech);
      client.send('ai_response', toAiResponse(reply, await calls.audioOf(speeches)));
    },
    failed: ({ clientMessageId, ...failure }) =>
      client.send('error', { ...failure, ...(clientMessageId ? { clientMessageId } : {}) }),
  };
}

function broadcast(channel: RealtimeChannel, event: ConversationEvent): void {
  const { conversationId, except } = event;
  const room = roomOf(conversationId);
  if (event.type === 'message') {
    const message = {
      _id: event.id,
      role: 'user' as const,
      author: { kind: 'contact' as const },
      content: event.content,
      timestamp: event.at.toISOString(),
      ...(event.clientMessageId ? { clientMessageId: event.clientMessageId } : {}),
    };
    channel.broadcast(room, except, 'message_stored', { conversationId, message });
  } else if (event.type === 'typing') channel.broadcast(room, except, 'typing', event.isTyping);
  else if (event.type === 'reply') channel.broadcast(room, except, 'ai_response', toAiResponse(event.reply));
  else channel.broadcast(room, except, 'conversation_updated', { conversationId, ...changeOf(event) });
}

type ConversationChange = Extract<ConversationEvent, { type: 'titled' | 'labelled' | 'concluded' }>;

function changeOf(event: ConversationChange): Omit<ConversationUpdated, 'conversationId'> {
  if (event.type === 'titled') return { title: event.title };
  if (event.type === 'labelled') return { sentiment: event.sentiment };
  const { outcome, contact } = event;
  return { ...(outcome ? { outcome } : {}), ...(contact ? { contact } : {}) };
}

function refuseOtherUser({ contactId }: ContactScope, userId: string): void {
  if (userId !== contactId) throw forbidden('calls.somebody-else');
}

/** The simulator's conversation was deleted meanwhile: asks the client to start another one. */
const isLostConversation = (error: unknown) => error instanceof AppError && error.code === 'not-found';

/** A start without a user has its own error sentence. */
function refuseStart(error: z.ZodError): AppError {
  const isUserMissing = error.issues.some(({ path }) => path.length === 0 || path[0] === 'userId');
  return isUserMissing ? withoutUser() : refuseBadPayload(error);
}

const withoutUser = () => invalidInput('calls.start-failed');
