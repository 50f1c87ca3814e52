import { dispose } from '@livekit/rtc-node';
import type { Sound } from '#server/audio/sound';
import { serveWorkerThread } from '#server/threads/worker-thread';
import { Attendance } from './attendance.ts';
import type { Caption, PresenceListener } from './contract.ts';

/** A listener call sent between threads: the method's name and its arguments. */
export type ToldEvent = {
  [Method in keyof PresenceListener]: {
    presenceId: number;
    method: Method;
    args: Parameters<PresenceListener[Method]>;
  };
}[keyof PresenceListener];

interface Addressed {
  presenceId: number;
}

/** Methods of the thread with LiveKit's native library. Calls for a room that was left do nothing. */
export type ParticipantsMethods = {
  join: (
    request: Addressed & { url: string; token: string; stunServers: readonly string[] | null },
  ) => Promise<void>;
  setAttributes: (request: Addressed & { attributes: Record<string, string> }) => void;
  caption: (request: Addressed & { caption: Caption }) => void;
  tell: (request: Addressed & { identity: string; topic: string; payload: string }) => void;
  say: (request: Addressed & { speechId: string; sound: Sound }) => void;
  finishSpeech: (request: Addressed & { speechId: string }) => void;
  hold: (request: Addressed) => void;
  release: (request: Addressed) => void;
  stopSpeech: (request: Addressed & { speechId: string }) => number;
  leave: (request: Addressed) => Promise<void>;
};

const present = new Map<number, Attendance>();

const methods: ParticipantsMethods = {
  async join({ presenceId, url, token, stunServers }) {
    const attendance = new Attendance(listenerOf(presenceId));
    present.set(presenceId, attendance);
    try {
      await attendance.join(url, token, stunServers);
    } catch (error) {
      present.delete(presenceId);
      throw Object.assign(new Error('The room could not be joined.', { cause: error }), { retryable: true });
    }
  },
  setAttributes: ({ presenceId, attributes }) => present.get(presenceId)?.setAttributes(attributes),
  caption: ({ presenceId, caption }) => present.get(presenceId)?.caption(caption),
  tell: ({ presenceId, identity, topic, payload }) => present.get(presenceId)?.tell(identity, topic, payload),
  say: ({ presenceId, speechId, sound }) => present.get(presenceId)?.say(speechId, sound),
  finishSpeech: ({ presenceId, speechId }) => present.get(presenceId)?.finishSpeech(speechId),
  hold: ({ presenceId }) => present.get(presenceId)?.hold(),
  release: ({ presenceId }) => present.get(presenceId)?.release(),
  stopSpeech: ({ presenceId, speechId }) => present.get(presenceId)?.stopSpeech(speechId) ?? 0,
  async leave({ presenceId }) {
    const attendance = present.get(presenceId);
    present.delete(presenceId);
    await attendance?.leave();
  },
};

function listenerOf(presenceId: number): PresenceListener {
  const told =
    <Method extends keyof PresenceListener>(method: Method) =>
    (...args: Parameters<PresenceListener[Method]>) =>
      tell({ presenceId, method, args });
  return {
    memberJoined: told('memberJoined'),
    memberLeft: told('memberLeft'),
    microphoneOpened: told('microphoneOpened'),
    microphoneClosed: told('microphoneClosed'),
    sound: told('sound'),
    audible: told('audible'),
    speechBegan: told('speechBegan'),
    speechPlayed: told('speechPlayed'),
    speechEnded: told('speechEnded'),
    ended: (why) => {
      present.delete(presenceId);
      told('ended')(why);
    },
  };
}

/** Leaves all rooms: native threads that outlive this one would crash. */
async function leaveEverything(): Promise<void> {
  const all = [...present.values()];
  present.clear();
  await Promise.allSettled(all.map((attendance) => attendance.leave()));
  await dispose();
}

const tell = serveWorkerThread(methods, { settled: leaveEverything });
