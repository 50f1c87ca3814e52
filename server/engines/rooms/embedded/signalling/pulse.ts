import { ConnectionQualityUpdate, SpeakersChanged } from '@livekit/protocol';
import type { Participant } from './participant.ts';
import { QUALITY_MS, qualityOf } from './quality.ts';
import { SPEAKERS_MS, Speakers } from './speakers.ts';

const REPORTS_MS = 1_000;
/** Number of reports that surely fit into one packet. */
const REPORTS_AT_ONCE = 20;

/** Periodic updates to a room: speakers, connection quality, RTCP reports. */
export class RoomPulse {
  readonly #participants: ReadonlyMap<string, Participant>;
  readonly #speakers = new Speakers();
  #timers: NodeJS.Timeout[] = [];

  constructor(participants: ReadonlyMap<string, Participant>) {
    this.#participants = participants;
  }

  start(): void {
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => this.#tellSpeakers(), SPEAKERS_MS),
      setInterval(() => this.#tellQuality(), QUALITY_MS),
      setInterval(() => this.#report(), REPORTS_MS),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  /** Tells a new participant who is speaking. */
  tellSpeakersTo(participant: Participant): void {
    const speakers = this.#speakers.current();
    if (speakers.length > 0)
      participant.send({ case: 'speakersChanged', value: new SpeakersChanged({ speakers }) });
  }

  #tellSpeakers(): void {
    const visible = [...this.#participants.values()].filter(({ permissions }) => !permissions.hidden);
    const speakers = this.#speakers.look(visible);
    if (speakers.length === 0) return;
    const value = new SpeakersChanged({ speakers });
    for (const participant of this.#participants.values())
      participant.send({ case: 'speakersChanged', value });
  }

  #tellQuality(): void {
    const now = performance.now();
    const all = [...this.#participants.values()].filter(({ isActive }) => isActive);
    const updates = all.map((participant) => ({ participant, quality: qualityOf(participant, now) }));
    for (const to of all)
      to.send({
        case: 'connectionQuality',
        value: new ConnectionQualityUpdate({
          updates: updates
            .filter(({ participant }) => participant === to || !participant.permissions.hidden)
            .map(({ quality }) => quality),
        }),
      });
  }

  /** Sends RTCP once a second: reception reports to publishers, clock reports to receivers. */
  #report(): void {
    for (const participant of this.#participants.values()) {
      for (const publication of participant.publications.values()) publication.reportBack();
      if (participant.subscriptions.size === 0) continue;
      const reports = [...participant.subscriptions.values()].flatMap((subscription) =>
        subscription.clockReports(),
      );
      for (let at = 0; at < reports.length; at += REPORTS_AT_ONCE)
        participant.downlink.transport.sendRtcp(reports.slice(at, at + REPORTS_AT_ONCE));
    }
  }
}
