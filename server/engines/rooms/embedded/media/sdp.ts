import type { Fingerprint, IceCredentials } from './transport.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
export type MediaKind = 'audio' | 'video';

export interface OfferedCodec {
  payloadType: number;
  /** In lower case, as `opus`. */
  name: string;
  parameters: string;
  feedback: string[];
}

/** A media section of a client's description. */
export interface RemoteSection {
  kind: MediaKind | 'application';
  mid: string;
  /** False: the section is closed for good and its place may be reused. */
  accepted: boolean;
  protocol: string;
  formats: string;
  direction: Direction;
  codecs: OfferedCodec[];
  extensions: { id: number; uri: string }[];
  /** Second half of its msid: the client's id of its track. */
  trackId: string;
  ssrcs: number[];
  /** Offered simulcast layers, in order. */
  rids: string[];
  maxMessageBytes: number | null;
}

/** A client's offer or answer (RFC 8866, RFC 9429). */
interface RemoteDescription {
  sections: RemoteSection[];
  credentials: IceCredentials;
  fingerprint: Fingerprint;
  setup: string;
}

export class BadDescription extends Error {
  override readonly name = 'BadDescription';
}

const MAX_BYTES = 512 * 1024;
/** Most media sections of one description; each is a participant's track or data. */
export const MAX_SECTIONS = 400;
/** Most kinds of feedback for one codec; clients know about ten. */
const MAX_FEEDBACK = 32;

/** @throws BadDescription if no current WebRTC client would send it */
export function readDescription(text: string): RemoteDescription {
  if (text.length > MAX_BYTES) throw new BadDescription('The description is too long.');
  if (!text.startsWith('v=0')) throw new BadDescription('This is no session description.');
  const parts = text.split(/\r?\n(?=m=)/);
  if (parts.length - 1 > MAX_SECTIONS) throw new BadDescription('The description has too many sections.');
  const session = attributesOf(parts[0] ?? '');
  const sections = parts.slice(1).map(readSection);
  if (sections.length === 0) throw new BadDescription('The description has no section.');
  if (new Set(sections.map(({ mid }) => mid)).size !== sections.length)
    throw new BadDescription('The description names a section twice.');

  // Everything is bundled, so transport attributes may be in the session part or in any section.
  const all = [session, ...parts.slice(1).map(attributesOf)];
  const find = (name: string) => all.map((attributes) => attributes.get(name)?.[0]).find(Boolean);
  const fragment = find('ice-ufrag');
  const password = find('ice-pwd');
  const [algorithm, value] = (find('fingerprint') ?? '').split(' ');
  if (!fragment || !password || !algorithm || !value)
    throw new BadDescription('The description has no transport.');
  return {
    sections,
    credentials: { fragment, password },
    fingerprint: { algorithm: algorithm.toLowerCase(), value },
    setup: find('setup') ?? 'actpass',
  };
}

function attributesOf(part: string): Map<string, string[]> {
  const attributes = new Map<string, string[]>();
  for (const line of part.split(/\r?\n/)) {
    if (!line.startsWith('a=')) continue;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line.slice(2) : line.slice(2, colon);
    const values = attributes.get(name) ?? [];
    values.push(colon < 0 ? '' : line.slice(colon + 1).trim());
    attributes.set(name, values);
  }
  return attributes;
}

function readSection(part: string): RemoteSection {
  const [head = ''] = part.split(/\r?\n/, 1);
  const match = /^m=(audio|video|application) (\d+) (\S+) (.+)$/.exec(head);
  if (!match) throw new BadDescription('The description has a section of no known kind.');
  const [, kind, port, protocol = '', formats = ''] = match;
  const attributes = attributesOf(part);
  const mid = attributes.get('mid')?.[0];
  if (!mid || mid.length > 16) throw new BadDescription('A section of the description has no name.');
  const directions = ['sendonly', 'recvonly', 'inactive'] as const;
  const rids = (attributes.get('rid') ?? [])
    .map((value) => /^(\S+) send/.exec(value)?.[1])
    .filter((rid) => rid !== undefined);
  return {
    kind: kind === 'audio' || kind === 'video' ? kind : 'application',
    mid,
    accepted: port !== '0' || attributes.has('bundle-only'),
    protocol,
    formats: formats.trim(),
    direction: directions.find((direction) => attributes.has(direction)) ?? 'sendrecv',
    codecs: readCodecs(attributes),
    extensions: (attributes.get('extmap') ?? []).flatMap((value) => {
      const parsed = /^(\d+)(?:\/\S+)? (\S+)/.exec(value);
      return parsed?.[2] ? [{ id: Number(parsed[1]), uri: parsed[2] }] : [];
    }),
    trackId: attributes.get('msid')?.[0]?.split(' ')[1] ?? '',
    ssrcs: readSsrcs(attributes),
    rids,
    maxMessageBytes: Number(attributes.get('max-message-size')?.[0] ?? '') || null,
  };
}

/** One pass from top to bottom, so that cost is linear in the stranger's input. */
function readCodecs(attributes: Map<string, string[]>): OfferedCodec[] {
  const codecs = new Map<string, OfferedCodec>();
  for (const value of attributes.get('rtpmap') ?? []) {
    const [, payloadType = '', name] = /^(\d{1,3}) ([^/\s]+)\//.exec(value) ?? [];
    if (!name || Number(payloadType) > 127 || codecs.has(payloadType)) continue;
    codecs.set(payloadType, {
      payloadType: Number(payloadType),
      name: name.toLowerCase(),
      parameters: '',
      feedback: [],
    });
  }
  for (const [payloadType, parameters] of byPayloadType(attributes.get('fmtp'))) {
    const codec = codecs.get(payloadType);
    if (codec) codec.parameters ||= parameters;
  }
  const all = [...codecs.values()];
  for (const [payloadType, kind] of byPayloadType(attributes.get('rtcp-fb'))) {
    const meant = payloadType === '*' ? all : [codecs.get(payloadType)];
    for (const codec of meant) if (codec && codec.feedback.length < MAX_FEEDBACK) codec.feedback.push(kind);
  }
  return all;
}

const byPayloadType = (values: readonly string[] = []): [string, string][] =>
  values.map((value) => {
    const space = value.indexOf(' ');
    return [value.slice(0, space), value.slice(space + 1)];
  });

/** Media sources first: a repair stream comes second in its group. */
function readSsrcs(attributes: Map<string, string[]>): number[] {
  const repairs = new Set(
    (attributes.get('ssrc-group') ?? [])
      .filter((group) => group.startsWith('FID '))
      .map((group) => Number(group.split(' ')[2])),
  );
  const all = (attributes.get('ssrc') ?? []).map((value) => Number(value.split(' ')[0]));
  return [...new Set(all)].filter((ssrc) => ssrc > 0 && ssrc <= 0xffffffff && !repairs.has(ssrc));
}
