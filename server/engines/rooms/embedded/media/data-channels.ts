import { RTCDataChannel, RTCDataChannelParameters, type RTCDtlsTransport, RTCSctpTransport } from 'werift';

export const SCTP_PORT = 5000;
/** What one message may hold, in bytes; LiveKit's clients cut at 15,000 and its streams at that too. */
export const MAX_MESSAGE_BYTES = 65_536;
/** Waiting messages of somebody who cannot keep up; beyond it theirs are dropped. */
const MAX_WAITING_BYTES = { reliable: 4 * 1024 * 1024, lossy: 128 * 1024 };

/** The data channels of one connection (RFC 8831), known by their labels. */
export class DataChannels {
  readonly #sctp = new RTCSctpTransport(SCTP_PORT, MAX_MESSAGE_BYTES);
  readonly #channels = new Map<string, RTCDataChannel>();
  readonly #onMessage: (label: string, bytes: Buffer) => void;
  #wanted = false;
  #secured = false;
  #closed = false;

  constructor(dtls: RTCDtlsTransport, onMessage: (label: string, bytes: Buffer) => void) {
    this.#onMessage = onMessage;
    this.#sctp.setDtlsTransport(dtls);
    this.#sctp.setRemotePort(SCTP_PORT);
    this.#sctp.onDataChannel.subscribe((channel) => this.#adopt(channel));
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

  /** @returns whether it is on its way: not when there is no such open channel, or too much waits in it */
  send(label: string, bytes: Buffer): boolean {
    const channel = this.#channels.get(label);
    if (channel?.readyState !== 'open' || this.#closed) return false;
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

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#channels.clear();
    await this.#sctp.stop();
  }

  #begin(): void {
    if (this.#wanted && this.#secured && !this.#closed) void this.#sctp.start(SCTP_PORT).catch(() => {});
  }

  #adopt(channel: RTCDataChannel): void {
    this.#channels.set(channel.label, channel);
    channel.onMessage.subscribe((message) =>
      this.#onMessage(channel.label, typeof message === 'string' ? Buffer.from(message) : message),
    );
  }
}
