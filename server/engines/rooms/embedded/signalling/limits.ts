import { ParticipantInfo_Kind } from '@livekit/protocol';

/** Length limits; LiveKit's defaults. */
export const MAX_NAME_CHARACTERS = 256;
const MAX_METADATA_BYTES = 64_000;
const MAX_ATTRIBUTES_BYTES = 64_000;
/** Size of a track's announcement; clients need a few hundred bytes. */
export const MAX_TRACK_BYTES = 4_096;
/** Entries of lists that are sent to everyone; many times more than there are kinds. */
export const MAX_LISTED = 16;

/** Attributes of agents (`lk.agent.state`), which pages show as the agent's. */
const AGENT_ATTRIBUTE = /^lk\.agent(?:\.|$)/;

/** What all participants are shown of one. */
export interface Face {
  name: string;
  metadata: string;
  attributes: Record<string, string>;
}

/** Why a face must not be shown, in one sentence; null if it may. Checked wherever a face is set. */
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
