import { TrackKind, TrackSource } from '@livekit/rtc-node';

/** The part of a track publication that is used. */
interface Published {
  readonly kind?: TrackKind;
  readonly source?: TrackSource;
  readonly sid?: string;
  /** Absent until it is received. */
  readonly track?: object;
  setSubscribed(isSubscribed: boolean): void;
}

interface RoomOfTracks {
  readonly remoteParticipants: ReadonlyMap<string, { trackPublications: ReadonlyMap<string, Published> }>;
}

const LOOK_MS = 1_000;

/**
 * Subscribes to microphones, not to pictures or the sound of shared screens. Subscriptions made while the
 * room restarts may be lost without notice: a microphone still not received at the next check is subscribed
 * again.
 */
export class Subscriptions {
  readonly #room: RoomOfTracks;
  /** Microphones that were not received at the last check. */
  #unheard = new Set<string>();
  #looking: NodeJS.Timeout | undefined;

  constructor(room: RoomOfTracks) {
    this.#room = room;
  }

  begin(): void {
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
  }

  ask(publication: Published): void {
    if (isMicrophone(publication)) publication.setSubscribed(true);
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #look(): void {
    const before = this.#unheard;
    this.#unheard = new Set();
    for (const { trackPublications } of this.#room.remoteParticipants.values())
      for (const publication of trackPublications.values()) {
        const { sid, track } = publication;
        if (!isMicrophone(publication) || track || sid === undefined) continue;
        this.#unheard.add(sid);
        if (!before.has(sid)) continue;
        // Only a change is sent, so unsubscribe first.
        publication.setSubscribed(false);
        publication.setSubscribed(true);
      }
  }
}

const isMicrophone = ({ kind, source }: Published) =>
  kind === TrackKind.KIND_AUDIO && source !== TrackSource.SOURCE_SCREENSHARE_AUDIO;
