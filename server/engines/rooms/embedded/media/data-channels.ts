import { RTCDataChannel, RTCDataChannelParameters, type RTCDtlsTransport, RTCSctpTransport } from 'werift';
import { SctpGuard } from './sctp-guard.ts';

export const SCTP_PORT = 5000;
/** What one message may hold, in bytes; LiveKit's clients cut at 15,000 and its streams at that too. */
export const MAX_MESSAGE_BYTES = 65_536;
/** Waiting messages of somebody who cannot keep up; beyond it theirs are dropped. */
const MAX_WAITING_BYTES = { reliable: 4 * 1024 * 1024, lossy: 128 * 1024, early: 1024 * 1024 };
const RELIABLE = '_reliable';
/** Channels a peer may open over the life of a connection; LiveKit's clients open three. */
const MAX_CHANNELS = 16;

interface DataListener {
  onMessage(label: string, bytes: Buffer): void;
  /** The peer does what no client does and only costs. */
  onAbuse(): void;
}

/** The data channels of one connection (RFC 8831), known by their labels. */
export class DataChannels {
  readonly #sctp = new RTCSctpTransport(SCTP_PORT, MAX_MESSAGE_BYTES);
  readonly #channels = new Map<string, RTCDataChannel>();
  /** Reliable messages for a channel that is still being opened. */
  #early: Buffer[] = [];
  #earlyBytes = 0;
  readonly #listener: DataListener;
  #opened = 0;
  #wanted = false;
  #secured = false;
  #closed = false;

  constructor(dtls: RTCDtlsTransport, listener: DataListener) {
    this.#listener = listener;
    this.#sctp.setDtlsTransport(dtls);
    this.#sctp.setRemotePort(SCTP_PORT);
    new SctpGuard(this.#sctp, () => listener.onAbuse());
    this.#sctp.onDataChannel.subscribe((channel) => {
      if (++this.#opened > MAX_CHANNELS) this.#listener.onAbuse();
      else this.#adopt(channel);
    });
  }

  /** The descriptions hold a section for data. The association begins once the connection is secured, too. */
  want(maxMessageBytes: number | null): void {
    this.#sctp.setRemoteMaxMessageSize(maxMessageBytes ?? undefined);
    this.#wanted = true;
    this.#begin();
  }

  start(): void {
    this.#secured = true;
    this.#begin();
  }

  /** Opens a channel from here. @param id odd, since the DTLS server's are (RFC 8832, 6) */
  open(label: string, id: number, options: { ordered: boolean; maxRetransmits?: number }): void {
    this.#adopt(
      new RTCDataChannel(
        this.#sctp,
        new RTCDataChannelParameters({ label, id, protocol: '', negotiated: false, ...options }),
      ),
    );
  }

  /** @returns whether it is on its way, or will be: not when there is no such open channel, or too much waits in it */
  send(label: string, bytes: Buffer): boolean {
    if (this.#closed) return false;
    const channel = this.#channels.get(label);
    if (label === RELIABLE && (!channel || channel.readyState === 'connecting')) return this.#keep(bytes);
    if (channel?.readyState !== 'open') return false;
    const limit = label === '_lossy' ? MAX_WAITING_BYTES.lossy : MAX_WAITING_BYTES.reliable;
    if (channel.bufferedAmount + bytes.length > limit) return false;
    try {
      channel.send(bytes);
      return true;
    } catch {
      // Larger than the other side takes.
      return false;
    }
  }

  /** Whoever has just come in misses nothing that was said since. */
  #keep(bytes: Buffer): boolean {
    if (this.#earlyBytes + bytes.length > MAX_WAITING_BYTES.early) return false;
    this.#early.push(bytes);
    this.#earlyBytes += bytes.length;
    return true;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#early = [];
    this.#channels.clear();
    await this.#sctp.stop();
  }

  #begin(): void {
    if (this.#wanted && this.#secured && !this.#closed) void this.#sctp.start(SCTP_PORT).catch(() => {});
  }

  #adopt(channel: RTCDataChannel): void {
    this.#channels.set(channel.label, channel);
    channel.stateChanged.subscribe((state) => {
      if (state !== 'open' || channel.label !== RELIABLE) return;
      this.#earlyBytes = 0;
      for (const bytes of this.#early.splice(0)) this.send(RELIABLE, bytes);
    });
    channel.onMessage.subscribe((message) =>
      this.#listener.onMessage(channel.label, typeof message === 'string' ? Buffer.from(message) : message),
    );
  }
}
