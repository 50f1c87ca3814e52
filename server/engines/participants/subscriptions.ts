import { TrackKind, TrackSource } from '@livekit/rtc-node';

/** What is needed of somebody's track. */
interface Published {
  readonly kind?: TrackKind;
  readonly source?: TrackSource;
  readonly sid?: string;
  /** Absent until it is heard. */
  readonly track?: object;
  setSubscribed(isSubscribed: boolean): void;
}

interface RoomOfTracks {
  readonly remoteParticipants: ReadonlyMap<string, { trackPublications: ReadonlyMap<string, Published> }>;
}

const LOOK_MS = 1_000;

/**
 * Which tracks of a room our participant asks for: microphones, not pictures, and not the sound of shared screens. What was asked
 * while the room came back after a restart may be lost, and nobody says so: what is still not heard a look later is asked for again.
 */
export class Subscriptions {
  readonly #room: RoomOfTracks;
  /** Microphones that were not heard at the last look. */
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
        // Only what is a change is sent.
        publication.setSubscribed(false);
        publication.setSubscribed(true);
      }
  }
}

const isMicrophone = ({ kind, source }: Published) =>
  kind === TrackKind.KIND_AUDIO && source !== TrackSource.SOURCE_SCREENSHARE_AUDIO;
