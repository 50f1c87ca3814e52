import { ConnectionQuality, ConnectionQualityInfo } from '@livekit/protocol';
import type { ReceptionWindow } from '#server/engines/rooms/embedded/forwarding/reception';
import type { Participant } from './participant.ts';

export const QUALITY_MS = 5_000;
/** Silence after which the connection counts as lost; checks arrive every 2.5 s. */
const LOST_AFTER_MS = 8_000;

/** End-to-end quality of a stream. */
interface Experience {
  /** 0 to 1. */
  lost: number;
  /** One-way delay of network and jitter buffer, in milliseconds. */
  delayMs: number;
}

/** A participant's connection quality, from RTCP's statistics of all their streams: the worst counts. */
export function qualityOf(participant: Participant, now: number): ConnectionQualityInfo {
  const { transport } = participant.isSubscriberPrimary ? participant.subscriber : participant.publisher;
  const isLost = participant.isActive && Date.now() - transport.lastPacketAt > LOST_AFTER_MS;
  const score = Math.min(93.2, ...experiences(participant, now).map(transmissionRating));
  return new ConnectionQualityInfo({
    participantSid: participant.sid,
    quality: isLost ? ConnectionQuality.LOST : gradeOf(score),
    score: isLost ? 0 : meanOpinion(score),
  });
}

function experiences(participant: Participant, now: number): Experience[] {
  const sent = [...participant.publications.values()]
    .map((publication) => publication.takeWindow())
    .filter(({ expected }) => expected > 0)
    .map(uplink);
  const received = [...participant.subscriptions.values()].flatMap(({ delivery }) =>
    delivery && now - delivery.at < 2 * QUALITY_MS
      ? [
          {
            lost: delivery.fractionLost,
            delayMs: (delivery.roundTripMs ?? 0) / 2 + 2 * delivery.jitterMs,
          },
        ]
      : [],
  );
  return [...sent, ...received];
}

const uplink = ({ expected, received, jitterMs }: ReceptionWindow): Experience => ({
  lost: Math.max(0, (expected - received) / expected),
  delayMs: 2 * jitterMs,
});

/**
 * The E-model's rating R (ITU-T G.107): 93.2 minus the impairments of delay (Cole and Rosenbluth 2001) and
 * loss. Opus: equipment impairment 0, robustness to loss 20 (with its forward error correction).
 */
export function transmissionRating({ lost, delayMs }: Experience): number {
  const byDelay = 0.024 * delayMs + (delayMs > 177.3 ? 0.11 * (delayMs - 177.3) : 0);
  const percent = 100 * lost;
  return 93.2 - byDelay - (95 * percent) / (percent + 20);
}

/** G.107, annex B: from 80 users are satisfied, below 60 few are. */
function gradeOf(rating: number): ConnectionQuality {
  if (rating >= 80) return ConnectionQuality.EXCELLENT;
  return rating >= 60 ? ConnectionQuality.GOOD : ConnectionQuality.POOR;
}

/** R as a mean opinion score from 1 to 4.5 (G.107, annex B). */
function meanOpinion(rating: number): number {
  const r = Math.max(0, Math.min(100, rating));
  return 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6;
}
