import type { Logger } from 'pino';
import { EngineError } from '#server/lib/engine-error';
import { timeLimit } from '#server/lib/wait';
import { startNativeThread } from '#server/threads/native-process';
import type { WorkerThread } from '#server/threads/worker-thread';
import type { ParticipantsEngine, Presence, PresenceListener } from './contract.ts';
import type { ParticipantsMethods, ToldEvent } from './livekit.worker.ts';

interface LiveKitParticipantsOptions {
  logger?: Pick<Logger, 'warn'>;
  /** STUN servers that discover our public address; null: those that the room server names. */
  stunServers?: readonly string[] | null;
}

/** LiveKit's client gives up only after 10 s; our own room server answers within a second or not at all. */
const JOIN_TIMEOUT_MS = 8_000;
/** The thread handles frames of 10 ms; a voice silent for this long counts as hung. */
const HANG_MS = 15_000;

interface Guest {
  listener: PresenceListener;
  hasEnded: boolean;
}

/**
 * Joins rooms through LiveKit's native library, in a thread of its own, which decodes ten frames of sound per
 * participant every hundred milliseconds. The thread starts with the first room.
 */
export function createLiveKitParticipants({
  logger,
  stunServers = null,
}: LiveKitParticipantsOptions = {}): ParticipantsEngine {
  const guests = new Map<number, Guest>();
  let thread: WorkerThread<ParticipantsMethods> | null = null;
  let nextId = 0;
  let isClosing = false;

  function running(): WorkerThread<ParticipantsMethods> {
    if (thread) return thread;
    const started = startNativeThread<ParticipantsMethods>(import.meta.url, './livekit.worker', {
      hangMs: HANG_MS,
      isNeverCutOff: true,
      onEvent: (event) => told(event as ToldEvent),
      onExit: (error) => {
        thread = null;
        if (!isClosing) logger?.warn({ err: error }, 'the thread of room participants stopped');
        for (const [id, guest] of guests) end(id, guest, () => guest.listener.ended('lost'));
      },
    });
    thread = started;
    return started;
  }

  function told({ presenceId, method, args }: ToldEvent): void {
    const guest = guests.get(presenceId);
    if (!guest) return;
    const tell = () => Reflect.apply(guest.listener[method], guest.listener, args);
    if (method === 'ended') end(presenceId, guest, tell);
    else tell();
  }

  function end(id: number, guest: Guest, tell: () => void): void {
    guests.delete(id);
    guest.hasEnded = true;
    tell();
  }

  return {
    name: 'LiveKit participant',

    async join({ url, token, listener, signal }) {
      signal?.throwIfAborted();
      if (isClosing) throw new EngineError('The server is closing.', { retryable: true });
      const presenceId = nextId++;
      const guest: Guest = { listener, hasEnded: false };
      const worker = running();
      guests.set(presenceId, guest);
      const limit = timeLimit(JOIN_TIMEOUT_MS);
      try {
        await worker.call(
          'join',
          { presenceId, url, token, stunServers },
          signal ? AbortSignal.any([signal, limit]) : limit,
        );
      } catch (error) {
        guests.delete(presenceId);
        void worker.call('leave', { presenceId }).catch(() => {});
        signal?.throwIfAborted();
        throw new EngineError('The room cannot be reached; try again in a moment.', {
          retryable: true,
          cause: error,
        });
      }
      return presenceIn(worker, presenceId, guest, () => guests.delete(presenceId));
    },

    async close() {
      isClosing = true;
      guests.clear();
      await thread?.finish();
    },
  };
}

function presenceIn(
  worker: WorkerThread<ParticipantsMethods>,
  presenceId: number,
  guest: Guest,
  onLeave: () => void,
): Presence {
  /** Fire and forget: if the thread has stopped, `ended` tells the listener. */
  const post = <Method extends keyof ParticipantsMethods & string>(
    method: Method,
    args: Parameters<ParticipantsMethods[Method]>[0],
  ) => {
    if (!guest.hasEnded) worker.call(method, args).catch(() => {});
  };
  return {
    setAttributes: (attributes) => post('setAttributes', { presenceId, attributes }),
    caption: (caption) => post('caption', { presenceId, caption }),
    tell: (identity, topic, payload) => post('tell', { presenceId, identity, topic, payload }),
    say: (speechId, { samples, sampleRate }) =>
      post('say', { presenceId, speechId, sound: { samples, sampleRate } }),
    finishSpeech: (speechId) => post('finishSpeech', { presenceId, speechId }),
    hold: () => post('hold', { presenceId }),
    release: () => post('release', { presenceId }),
    stopSpeech: (speechId) => worker.call('stopSpeech', { presenceId, speechId }).catch(() => 0),
    async leave() {
      onLeave();
      guest.hasEnded = true;
      await worker.call('leave', { presenceId }).catch(() => {});
    },
  };
}
