/**
 * A random 128-bit id in hex. `crypto.randomUUID` is missing on pages served over plain http in a local
 * network.
 */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
