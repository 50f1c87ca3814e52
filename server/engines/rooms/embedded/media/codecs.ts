import type { MediaKind, OfferedCodec, RemoteSection } from './sdp.ts';
import type { LocalCodec } from './write-sdp.ts';

/** What travels through rooms: Opus and VP8, which every WebRTC client has. */
const codecNames: Record<MediaKind, string> = { audio: 'opus', video: 'vp8' };
const maps: Record<MediaKind, string> = { audio: 'opus/48000/2', video: 'VP8/90000' };
export const clockRates: Record<MediaKind, number> = { audio: 48_000, video: 90_000 };

/** Feedback this server reads and acts upon. Retransmissions come in the stream itself, without a second one (RFC 4585). */
const feedback: Record<MediaKind, readonly string[]> = {
  audio: ['nack'],
  video: ['nack', 'nack pli', 'ccm fir', 'goog-remb'],
};

const EXTENSIONS = {
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
};

/** The codec of a section that rooms carry; null when it has none. */
export const offeredCodec = (section: RemoteSection): OfferedCodec | null =>
  section.kind === 'application'
    ? null
    : (section.codecs.find(({ name }) => name === codecNames[section.kind === 'audio' ? 'audio' : 'video']) ??
      null);

/** How the client is asked to encode what it publishes. */
export function publishedCodec(
  kind: MediaKind,
  offered: OfferedCodec,
  wishes: { stereo: boolean; silenceSuppressed: boolean },
): LocalCodec {
  return {
    payloadType: offered.payloadType,
    map: maps[kind],
    parameters:
      kind === 'audio'
        ? [
            'minptime=10;useinbandfec=1',
            ...(wishes.silenceSuppressed ? ['usedtx=1'] : []),
            ...(wishes.stereo ? ['stereo=1', 'sprop-stereo=1'] : []),
          ].join(';')
        : '',
    feedback: feedback[kind].filter((wanted) => offered.feedback.includes(wanted)),
  };
}

/** How the server says it sends. @param payloadType as the client numbered it, or our own in an offer of ours */
export function forwardedCodec(
  kind: MediaKind,
  options: { payloadType?: number; stereo?: boolean; allowed?: readonly string[] } = {},
): LocalCodec {
  const { allowed } = options;
  return {
    payloadType: options.payloadType ?? (kind === 'audio' ? 111 : 96),
    map: maps[kind],
    parameters:
      kind === 'audio' ? `minptime=10;useinbandfec=1${options.stereo ? ';stereo=1;sprop-stereo=1' : ''}` : '',
    feedback: feedback[kind].filter((kept) => kept !== 'goog-remb' && (!allowed || allowed.includes(kept))),
  };
}

/** Header extensions taken over from an offer, and their ids; 0 when not offered. */
export function acceptedExtensions(section: RemoteSection): {
  accepted: { id: number; uri: string }[];
  ids: { audioLevel: number; mid: number; rid: number };
} {
  const wanted: string[] = Object.values(EXTENSIONS);
  const accepted = section.extensions.filter(({ uri }) => wanted.includes(uri));
  const idOf = (uri: string) => accepted.find((extension) => extension.uri === uri)?.id ?? 0;
  return {
    accepted,
    ids: { audioLevel: idOf(EXTENSIONS.audioLevel), mid: idOf(EXTENSIONS.mid), rid: idOf(EXTENSIONS.rid) },
  };
}
