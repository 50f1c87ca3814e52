/** How long things may be; LiveKit's own defaults. */
export const MAX_NAME_CHARACTERS = 256;
export const MAX_METADATA_BYTES = 64_000;
const MAX_ATTRIBUTES_BYTES = 64_000;

export const attributesFit = (attributes: Record<string, string>): boolean =>
  Object.entries(attributes).reduce(
    (bytes, [key, value]) => bytes + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  ) <= MAX_ATTRIBUTES_BYTES;
