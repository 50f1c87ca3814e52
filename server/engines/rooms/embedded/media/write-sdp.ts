import { createHash } from 'node:crypto';
import { MAX_MESSAGE_BYTES, SCTP_PORT } from './data-channels.ts';
import type { Direction, MediaKind } from './sdp.ts';
import type { Transport } from './transport.ts';
import type { HostCandidate } from './udp-ports.ts';

export interface LocalCodec {
  payloadType: number;
  /** E.g. `opus/48000/2`. */
  map: string;
  parameters: string;
  feedback: readonly string[];
}

/** A media section as the server describes it. */
export type LocalSection =
  | {
      kind: MediaKind;
      mid: string;
      direction: Direction;
      codec: LocalCodec;
      extensions: readonly { id: number; uri: string }[];
      /** Present if the server sends in it. */
      source?: { ssrc: number; streamId: string; trackId: string; cname: string };
      /** The selected simulcast layer. */
      rid?: string;
    }
  | { kind: 'application'; mid: string }
  | { kind: 'refused'; media: string; mid: string; protocol: string; formats: string };

interface LocalDescription {
  /** Identifies the connection in all its descriptions. */
  session: string;
  /** Incremented with every description of a session. */
  version: number;
  setup: 'actpass' | 'passive';
  transport: Pick<Transport, 'credentials' | 'fingerprint' | 'candidates'>;
  sections: readonly LocalSection[];
}

/** @returns an offer or answer, bundled on one ICE-lite transport */
export function writeDescription(description: LocalDescription): string {
  const { sections } = description;
  const bundled = sections.filter(({ kind }) => kind !== 'refused').map(({ mid }) => mid);
  return [
    'v=0',
    `o=- ${createHash('sha256').update(description.session).digest().readUIntBE(0, 6)} ${description.version} IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    'a=ice-lite',
    `a=group:BUNDLE ${bundled.join(' ')}`,
    'a=extmap-allow-mixed',
    'a=msid-semantic: WMS *',
    ...sections.flatMap((section) => writeSection(section, description, section.mid === bundled[0])),
    '',
  ].join('\r\n');
}

function writeSection(section: LocalSection, description: LocalDescription, isFirst: boolean): string[] {
  if (section.kind === 'refused')
    return [
      `m=${section.media} 0 ${section.protocol} ${section.formats}`,
      'c=IN IP4 0.0.0.0',
      `a=mid:${section.mid}`,
      'a=inactive',
    ];
  const head =
    section.kind === 'application'
      ? ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel']
      : [`m=${section.kind} 9 UDP/TLS/RTP/SAVPF ${section.codec.payloadType}`];
  return [
    ...head,
    'c=IN IP4 0.0.0.0',
    ...writeTransport(description, isFirst),
    `a=mid:${section.mid}`,
    ...(section.kind === 'application'
      ? [`a=sctp-port:${SCTP_PORT}`, `a=max-message-size:${MAX_MESSAGE_BYTES}`]
      : writeMedia(section)),
  ];
}

function writeMedia(section: Extract<LocalSection, { kind: MediaKind }>): string[] {
  const { codec, source, rid } = section;
  return [
    `a=${section.direction}`,
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...section.extensions.map(({ id, uri }) => `a=extmap:${id} ${uri}`),
    `a=rtpmap:${codec.payloadType} ${codec.map}`,
    ...(codec.parameters ? [`a=fmtp:${codec.payloadType} ${codec.parameters}`] : []),
    ...codec.feedback.map((feedback) => `a=rtcp-fb:${codec.payloadType} ${feedback}`),
    ...(rid ? [`a=rid:${rid} recv`, `a=simulcast:recv ${rid}`] : []),
    ...(source
      ? [
          `a=msid:${source.streamId} ${source.trackId}`,
          `a=ssrc:${source.ssrc} cname:${source.cname}`,
          `a=ssrc:${source.ssrc} msid:${source.streamId} ${source.trackId}`,
        ]
      : []),
  ];
}

function writeTransport({ transport, setup }: LocalDescription, withCandidates: boolean): string[] {
  const { credentials, fingerprint, candidates } = transport;
  return [
    `a=ice-ufrag:${credentials.fragment}`,
    `a=ice-pwd:${credentials.password}`,
    `a=fingerprint:${fingerprint.algorithm} ${fingerprint.value}`,
    `a=setup:${setup}`,
    ...(withCandidates ? [...candidates.map(writeCandidate), 'a=end-of-candidates'] : []),
  ];
}

/** Priorities of RFC 8445, 5.1.2.1, in the order of the list; loopback comes last. */
function writeCandidate({ address, port }: HostCandidate, n: number): string {
  const preference = address.startsWith('127.') ? 1 : 65_535 - n;
  const priority = 126 * 2 ** 24 + preference * 2 ** 8 + 255;
  return `a=candidate:${n + 1} 1 udp ${priority} ${address} ${port} typ host generation 0`;
}
