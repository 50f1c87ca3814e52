import { verify, X509Certificate } from 'node:crypto';
import type { DtlsSocket } from 'werift';

const CERTIFICATE_VERIFY = 15;
/** Algorithms offered in the handshake: ECDSA on P-256 and RSA (PKCS #1), both with SHA-256. */
const ALGORITHMS = [0x0403, 0x0401];

type Handshake = Pick<DtlsSocket, 'remoteCertificate'> & {
  dtls: Pick<DtlsSocket['dtls'], 'sortedHandshakeCache'>;
};

/**
 * Whether the peer of a finished handshake holds the key of its certificate: checks its signature over the
 * handshake (RFC 5246, 7.4.8). werift compares the certificate's fingerprint with the announced one but
 * leaves this check to its users; a certificate alone crosses the network in the clear.
 */
export function provesItsCertificate({ remoteCertificate, dtls }: Handshake): boolean {
  const messages = dtls.sortedHandshakeCache;
  const at = messages.findIndex(({ msg_type: type }) => type === CERTIFICATE_VERIFY);
  const proof = messages[at]?.fragment;
  if (!remoteCertificate || !proof || proof.length < 4) return false;
  if (!ALGORITHMS.includes(proof.readUInt16BE(0))) return false;
  const signed = Buffer.concat(messages.slice(0, at).map((message) => message.serialize()));
  try {
    return verify(
      'sha256',
      signed,
      new X509Certificate(remoteCertificate).publicKey,
      proof.subarray(4, 4 + proof.readUInt16BE(2)),
    );
  } catch {
    return false;
  }
}
