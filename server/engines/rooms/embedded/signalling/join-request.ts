import { gunzipSync } from 'node:zlib';
import {
  ClientInfo,
  type ClientInfo_SDK,
  JoinRequest,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol';
import type { ClaimGrants, VideoGrant } from 'livekit-server-sdk';
import { type Face, faceProblem } from './limits.ts';
import { kindOf, permissionsOf } from './permissions.ts';
import { Unauthorized } from './tokens.ts';

/** A client's join request, in either protocol version. */
export interface Arrival {
  isSinglePeer: boolean;
  reconnects: boolean;
  /** Its previous session id, if it reconnects. */
  sid: string;
  autoSubscribe: boolean;
  client: ClientInfo;
  join: JoinRequest | null;
}

export class BadJoinRequest extends Error {
  override readonly name = 'BadJoinRequest';
}

const MAX_BYTES = 1024 * 1024;

/**
 * Reads the query of `/rtc` (separate parameters) or `/rtc/v1` (`join_request`, optionally compressed).
 * @throws BadJoinRequest
 */
export function readArrival(url: URL): Arrival {
  const query = url.searchParams;
  const packed = query.get('join_request');
  if (!packed) {
    if (url.pathname.startsWith('/rtc/v1')) throw new BadJoinRequest('join_request is required');
    return {
      isSinglePeer: false,
      reconnects: isTrue(query.get('reconnect')),
      sid: query.get('sid') ?? '',
      autoSubscribe: isTrue(query.get('auto_subscribe') ?? '1'),
      client: new ClientInfo({
        sdk: sdks[query.get('sdk') ?? ''] ?? 0,
        version: query.get('version') ?? '',
        protocol: Number(query.get('protocol')) || 0,
        clientProtocol: Number(query.get('client_protocol')) || 0,
      }),
      join: null,
    };
  }
  const join = unpack(packed);
  return {
    isSinglePeer: true,
    reconnects: join.reconnect,
    sid: join.participantSid,
    autoSubscribe: join.connectionSettings?.autoSubscribe ?? true,
    client: join.clientInfo ?? new ClientInfo(),
    join,
  };
}

/**
 * How a participant will be shown: by their token, and by their own request if the token allows it.
 * @throws Unauthorized if it does not; BadJoinRequest if it is too large
 */
export function arrivingFace(claims: ClaimGrants & { video: VideoGrant }, { join }: Arrival): Face {
  const own = { metadata: join?.metadata ?? '', attributes: join?.participantAttributes ?? {} };
  const says = own.metadata !== '' || Object.keys(own.attributes).length > 0;
  if (says && !permissionsOf(claims.video).canUpdateMetadata)
    throw new Unauthorized('permissions denied: metadata and attributes are those of the token');
  const face = {
    name: claims.name ?? '',
    metadata: claims.metadata || own.metadata,
    attributes: { ...claims.attributes, ...own.attributes },
  };
  const problem = faceProblem(face, kindOf(claims));
  if (problem) throw new BadJoinRequest(problem);
  return face;
}

function unpack(packed: string): JoinRequest {
  if (packed.length > MAX_BYTES) throw new BadJoinRequest('join request too large');
  if (!/^[\w-]+=*$/.test(packed)) throw new BadJoinRequest('cannot base64 decode wrapped join request');
  try {
    const wrapped = WrappedJoinRequest.fromBinary(Buffer.from(packed, 'base64url'));
    return JoinRequest.fromBinary(
      wrapped.compression === WrappedJoinRequest_Compression.GZIP
        ? gunzipSync(wrapped.joinRequest, { maxOutputLength: MAX_BYTES })
        : wrapped.joinRequest,
    );
  } catch {
    throw new BadJoinRequest('cannot unmarshal join request');
  }
}

const isTrue = (value: string | null) => value === '1' || value === 'true';

/** Names of client SDKs, and their numbers in the protocol. */
const sdks: Record<string, ClientInfo_SDK> = {
  js: 1,
  ios: 2,
  swift: 2,
  android: 3,
  flutter: 4,
  go: 5,
  unity: 6,
  reactnative: 7,
  rust: 8,
  python: 9,
  cpp: 10,
  unityweb: 11,
  node: 12,
};
