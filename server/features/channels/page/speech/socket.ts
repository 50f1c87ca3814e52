import type { TurnListener } from '#server/features/turns/call-events';
import { appErrorOf } from '#server/lib/app-error-of';
import { CALLERS, contactScopeOf } from '#server/lib/principal';
import {
  AlreadyTold,
  type RealtimeClient,
  type RealtimeEvent,
  realtimeEvent,
} from '#server/realtime/feature';
import { playbackSchema, speechEndSchema, speechStartSchema } from '#shared/realtime';
import { agentFor } from '../agent-for.ts';
import type { SpeakingClient, SpeechService } from './service.ts';
import { readSound, weighSound } from './sound.ts';

const TEN_SECONDS_MS = 10_000;
/** Ten times the real time of three microphones, in the thousands of bytes that `weighSound` counts. */
const SOUND_PER_USER = 30_000;

/** Speech events of the real-time channel. */
export function speechEvents(
  speech: SpeechService,
  around: {
    turnsOf(client: RealtimeClient): TurnListener;
    /** Subscribes the client to a conversation of theirs. */
    follow(client: RealtimeClient, conversationId: string): void;
  },
): Record<'speech_start' | 'speech_audio' | 'speech_end' | 'playback', RealtimeEvent> {
  /** A closing instance leaves events unanswered: they are sent again where the call continues. */
  const unlessClosing = (event: RealtimeEvent): RealtimeEvent => ({
    ...event,
    async handle(...asked) {
      if (speech.isClosing) return;
      try {
        await event.handle(...asked);
      } catch (error) {
        if (!speech.isClosing) throw error;
      }
    },
  });

  const speechStart = realtimeEvent({
    serves: CALLERS,
    schema: speechStartSchema,
    perUser: { count: 60, windowMs: TEN_SECONDS_MS },
    async handle(client, { conversationId, sampleRate, mode, voice }, acknowledge) {
      const request = {
        scope: contactScopeOf(client.principal),
        agentId: agentFor(client.principal),
        conversationId,
        sampleRate,
        mode: mode ?? 'push-to-talk',
        voice: voice !== false,
      };
      await speech.start(request, speakingClient(client, around.turnsOf(client)));
      around.follow(client, conversationId);
      acknowledge({ ok: true });
    },
  });

  const speechAudio: RealtimeEvent = {
    serves: CALLERS,
    perUser: { count: SOUND_PER_USER, windowMs: TEN_SECONDS_MS },
    weigh: weighSound,
    packet: { bytes: 1_000, attachments: 1 },
    async handle(client, payload, acknowledge) {
      try {
        speech.accept(client.id, readSound(payload));
      } catch (error) {
        throw speech.isOver(client.id) ? new AlreadyTold(error) : error;
      }
      acknowledge({ ok: true });
    },
  };

  const speechEnd = realtimeEvent({
    serves: CALLERS,
    schema: speechEndSchema,
    perUser: { count: 60, windowMs: TEN_SECONDS_MS },
    async handle(client, { conversationId, discard }, acknowledge) {
      const text = await speech.end(client.id, conversationId, discard === true);
      acknowledge({ ok: true, text });
    },
  });

  return {
    speech_start: unlessClosing(speechStart),
    speech_audio: unlessClosing(speechAudio),
    speech_end: unlessClosing(speechEnd),

    playback: realtimeEvent({
      serves: CALLERS,
      schema: playbackSchema,
      perUser: { count: 200, windowMs: TEN_SECONDS_MS },
      async handle(client, { conversationId, responseId }, acknowledge) {
        speech.playback(client.id, conversationId, responseId);
        acknowledge({ ok: true });
      },
    }),
  };
}

function speakingClient(client: RealtimeClient, turns: TurnListener): SpeakingClient {
  return {
    id: client.id,
    turns,
    transcript: (conversationId, text, isFinal) =>
      client.send('transcript', { conversationId, text, isFinal }),
    activity: (conversationId, isSpeaking) => client.send('speech_activity', { conversationId, isSpeaking }),
    bargeIn: (conversationId, phase) => client.send('barge_in', { conversationId, phase }),
    refused: (conversationId, error, message) =>
      client.send('error', { ...wordsOf(error), conversationId, ...message }),
    ended: (conversationId, why, text) =>
      client.send('speech_ended', { ...wordsOf(why), conversationId, ...(text ? { text } : {}) }),
  };
}

function wordsOf(error: unknown) {
  const { message, code, retryable } = appErrorOf(error);
  return { message, code, retryable };
}
