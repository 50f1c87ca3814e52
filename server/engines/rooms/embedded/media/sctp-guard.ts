import type { RTCSctpTransport } from 'werift';
import { Rate } from '#server/engines/rooms/embedded/rate';

/**
 * Limit of data chunks, of which a packet may hold dozens: three times 1 MB per second in chunks of the
 * clients' size.
 */
const MAX_PIECES = { perSecond: 3_000, atOnce: 6_000 };
/**
 * Limit of chunks waiting for others: four times the receive window (1 MB) in chunks of the clients' size.
 */
const MAX_WAITING_PIECES = 4_096;
const MAX_STREAMS = 64;
const COMMON_HEADER = 12;
const CHUNK_HEADER = 4;

/**
 * Protects the library's SCTP, which limits neither unfinished or unordered messages nor the number of
 * streams, and whose work per chunk grows with all that is waiting.
 */
export class SctpGuard {
  readonly #transport: RTCSctpTransport;
  readonly #pieces = new Rate(MAX_PIECES.perSecond, MAX_PIECES.atOnce);

  /** @param transport packets arrive over its DTLS transport */
  constructor(transport: RTCSctpTransport, onAbuse: () => void) {
    this.#transport = transport;
    const { dtlsTransport } = transport;
    const receive = dtlsTransport.dataReceiver;
    dtlsTransport.dataReceiver = (packet) => {
      // Excess is dropped like lost packets, which makes an honest sender slow down.
      if (!this.#pieces.take(countPieces(packet))) return;
      receive(packet);
      if (this.#isOverrun()) onAbuse();
    };
  }

  /** Reads private fields of the library; a test fails if they are renamed. */
  #isOverrun(): boolean {
    const { sctp } = this.#transport;
    const holes: unknown = Reflect.get(sctp, 'sackMisOrdered');
    if (holes instanceof Set && holes.size > MAX_WAITING_PIECES) return true;
    const inbound: unknown = Reflect.get(sctp, 'inboundStreams');
    const streams: unknown[] = typeof inbound === 'object' && inbound !== null ? Object.values(inbound) : [];
    let waiting = 0;
    for (const stream of streams) waiting += piecesIn(stream);
    return streams.length > MAX_STREAMS || waiting > MAX_WAITING_PIECES;
  }
}

function piecesIn(stream: unknown): number {
  if (typeof stream !== 'object' || stream === null || !('reassembly' in stream)) return 0;
  return Array.isArray(stream.reassembly) ? stream.reassembly.length : 0;
}

/** Counts the chunks of a packet (RFC 9260, 3). */
function countPieces(packet: Buffer): number {
  let pieces = 0;
  for (let at = COMMON_HEADER; at + CHUNK_HEADER <= packet.length; pieces++) {
    const length = packet.readUInt16BE(at + 2);
    at += Math.max(CHUNK_HEADER, Math.ceil(length / 4) * 4);
  }
  return pieces;
}
