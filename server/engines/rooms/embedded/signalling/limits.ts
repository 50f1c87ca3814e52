import { ParticipantInfo_Kind } from '@livekit/protocol';

/** How long things may be; LiveKit's own defaults. */
export const MAX_NAME_CHARACTERS = 256;
const MAX_METADATA_BYTES = 64_000;
const MAX_ATTRIBUTES_BYTES = 64_000;
/** All that is said of one track when it is announced; clients need a few hundred bytes. */
export const MAX_TRACK_BYTES = 4_096;
/** Of lists that everybody is told: the kinds there are, many times over. */
export const MAX_LISTED = 16;

/** What agents say of themselves (`lk.agent.state`), and pages show as the agent's. */
const AGENT_ATTRIBUTE = /^lk\.agent(?:\.|$)/;

/** What everybody in a room is shown of a participant. */
export interface Face {
  name: string;
  metadata: string;
  attributes: Record<string, string>;
}

/** Why a face may not be shown, in one sentence; null when it may. Asked wherever one enters. */
export function faceProblem(face: Partial<Face>, kind: ParticipantInfo_Kind): string | null {
  const { name = '', metadata = '', attributes = {} } = face;
  if (name.length > MAX_NAME_CHARACTERS) return 'The name is too long.';
  if (Buffer.byteLength(metadata) > MAX_METADATA_BYTES) return 'The metadata is too long.';
  const entries = Object.entries(attributes);
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > MAX_ATTRIBUTES_BYTES) return 'The attributes are too long.';
  if (kind !== ParticipantInfo_Kind.AGENT && entries.some(([key]) => AGENT_ATTRIBUTE.test(key)))
    return 'These attributes are for agents.';
  return null;
}
