import type { MediaKind, OfferedCodec, RemoteSection } from './sdp.ts';
import type { LocalCodec } from './write-sdp.ts';

/** Codecs in rooms: Opus and VP8, which every WebRTC client supports. */
const codecNames: Record<MediaKind, string> = { audio: 'opus', video: 'vp8' };
const maps: Record<MediaKind, string> = { audio: 'opus/48000/2', video: 'VP8/90000' };
export const clockRates: Record<MediaKind, number> = { audio: 48_000, video: 90_000 };

/** Feedback that this server understands. Retransmissions come in the same stream (RFC 4585). */
const feedback: Record<MediaKind, readonly string[]> = {
  audio: ['nack'],
  video: ['nack', 'nack pli', 'ccm fir', 'goog-remb'],
};

const EXTENSIONS = {
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
};

/** The section's codec that rooms carry; null if it offers none. */
export const offeredCodec = (section: RemoteSection): OfferedCodec | null =>
  section.kind === 'application'
    ? null
    : (section.codecs.find(({ name }) => name === codecNames[section.kind === 'audio' ? 'audio' : 'video']) ??
      null);

/** The codec parameters we ask a publisher to use. */
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

/** The codec parameters of what we send. @param payloadType the client's number, or ours in our own offer */
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

/** Ids of the header extensions accepted from an offer; 0 if not offered. */
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
