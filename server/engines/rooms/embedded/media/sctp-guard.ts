import type { RTCSctpTransport } from 'werift';
import { Rate } from '#server/engines/rooms/embedded/rate';

/** Pieces of data a second, of which one packet may hold dozens: 1 MB a second in pieces as clients cut them, three times over. */
const MAX_PIECES = { perSecond: 3_000, atOnce: 6_000 };
/** Pieces that wait for others: four times what fits into the window that a peer is told (1 MB), as clients cut it. */
const MAX_WAITING_PIECES = 4_096;
const MAX_STREAMS = 64;
const COMMON_HEADER = 12;
const CHUNK_HEADER = 4;

/**
 * Stands between DTLS and the library's SCTP, which bounds neither what a peer leaves unfinished or out of order nor the
 * streams it names, and whose work for a piece grows with all that waits already.
 */
export class SctpGuard {
  readonly #transport: RTCSctpTransport;
  readonly #pieces = new Rate(MAX_PIECES.perSecond, MAX_PIECES.atOnce);

  /** @param transport over whose DTLS transport packets come */
  constructor(transport: RTCSctpTransport, onAbuse: () => void) {
    this.#transport = transport;
    const { dtlsTransport } = transport;
    const receive = dtlsTransport.dataReceiver;
    dtlsTransport.dataReceiver = (packet) => {
      // What is too much is lost on its way, which makes an honest sender slow down.
      if (!this.#pieces.take(countPieces(packet))) return;
      receive(packet);
      if (this.#isOverrun()) onAbuse();
    };
  }

  /** The library keeps these to itself; a test fails where they are called something else. */
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

/** The chunks of a packet (RFC 9260, 3). */
function countPieces(packet: Buffer): number {
  let pieces = 0;
  for (let at = COMMON_HEADER; at + CHUNK_HEADER <= packet.length; pieces++) {
    const length = packet.readUInt16BE(at + 2);
    at += Math.max(CHUNK_HEADER, Math.ceil(length / 4) * 4);
  }
  return pieces;
}
