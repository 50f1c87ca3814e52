import type { Sound } from '#server/audio/sound';
import { EngineError } from '#server/lib/engine-error';
import type { Caption, ParticipantsEngine, Presence, PresenceListener, RoomMemberFace } from './contract.ts';

/** A presence without a room: the test triggers events and reads the calls. */
export class FakePresence implements Presence {
  readonly listener: PresenceListener;
  readonly url: string;
  readonly token: string;
  readonly captions: Caption[] = [];
  readonly told: { identity: string; topic: string; payload: string }[] = [];
  readonly attributes: Record<string, string> = {};
  /** All attributes that were set, in order: `name=value`. */
  readonly attributeLog: string[] = [];
  /** The pieces of each speech, and whether it was finished. */
  readonly speeches = new Map<string, { pieces: Sound[]; isFinished: boolean }>();
  readonly stopped: string[] = [];
  isHeld = false;
  hasLeft = false;
  playedMs = 0;

  constructor(listener: PresenceListener, url: string, token: string) {
    this.listener = listener;
    this.url = url;
    this.token = token;
  }

  setAttributes(attributes: Record<string, string>): void {
    Object.assign(this.attributes, attributes);
    for (const [name, value] of Object.entries(attributes)) this.attributeLog.push(`${name}=${value}`);
  }

  caption(caption: Caption): void {
    this.captions.push(caption);
  }

  tell(identity: string, topic: string, payload: string): void {
    this.told.push({ identity, topic, payload });
  }

  say(speechId: string, sound: Sound): void {
    const speech = this.speeches.get(speechId) ?? { pieces: [], isFinished: false };
    speech.pieces.push(sound);
    this.speeches.set(speechId, speech);
  }

  finishSpeech(speechId: string): void {
    const speech = this.speeches.get(speechId);
    if (speech) speech.isFinished = true;
  }

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
  }

  async stopSpeech(speechId: string): Promise<number> {
    this.stopped.push(speechId);
    return this.playedMs;
  }

  async leave(): Promise<void> {
    this.hasLeft = true;
  }

  /** A member joins and opens their microphone. */
  join(face: Partial<RoomMemberFace> & { identity: string }): void {
    this.listener.memberJoined({
      name: 'Somebody',
      metadata: '{"role":"customer"}',
      isAgent: false,
      ...face,
    });
    this.listener.microphoneOpened(face.identity, `TR_${face.identity}`);
  }
}

/** Joins rooms that do not exist. */
export function createFakeParticipants(): ParticipantsEngine & {
  /** All presences so far, the newest last. */
  presences: FakePresence[];
  /** While set, joining fails. */
  isBroken: boolean;
} {
  const presences: FakePresence[] = [];
  return {
    name: 'Fake participant',
    presences,
    isBroken: false,
    async join({ listener, url, token, signal }) {
      signal?.throwIfAborted();
      if (this.isBroken) throw new EngineError('The room cannot be reached.', { retryable: true });
      const presence = new FakePresence(listener, url, token);
      presences.push(presence);
      return presence;
    },
    async close() {
      for (const presence of presences) presence.hasLeft = true;
    },
  };
}
