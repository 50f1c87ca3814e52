import { RTCDataChannel, RTCDataChannelParameters, type RTCDtlsTransport, RTCSctpTransport } from 'werift';
import { SctpGuard } from './sctp-guard.ts';

export const SCTP_PORT = 5000;
/** Largest message in bytes; LiveKit's clients and streams split at 15,000. */
export const MAX_MESSAGE_BYTES = 65_536;
/** Limit of bytes queued for a slow receiver; further messages to it are dropped. */
const MAX_WAITING_BYTES = { reliable: 4 * 1024 * 1024, lossy: 128 * 1024, early: 1024 * 1024 };
const RELIABLE = '_reliable';
/** Most channels over the life of a connection; LiveKit's clients open three. */
const MAX_CHANNELS = 16;

interface DataListener {
  onMessage(label: string, bytes: Buffer): void;
  /** The peer sends what no client sends and what only costs. */
  onAbuse(): void;
}

/** The data channels of one connection (RFC 8831), by label. */
export class DataChannels {
  readonly #sctp = new RTCSctpTransport(SCTP_PORT, MAX_MESSAGE_BYTES);
  readonly #channels = new Map<string, RTCDataChannel>();
  /** Reliable messages for a channel that is still opening. */
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

  /** The descriptions contain a data section. The association starts once DTLS is connected as well. */
  want(maxMessageBytes: number | null): void {
    this.#sctp.setRemoteMaxMessageSize(maxMessageBytes ?? undefined);
    this.#wanted = true;
    this.#begin();
  }

  start(): void {
    this.#secured = true;
    this.#begin();
  }

  /** Opens a channel. @param id odd, since the DTLS server's ids are (RFC 8832, 6) */
  open(label: string, id: number, options: { ordered: boolean; maxRetransmits?: number }): void {
    this.#adopt(
      new RTCDataChannel(
        this.#sctp,
        new RTCDataChannelParameters({ label, id, protocol: '', negotiated: false, ...options }),
      ),
    );
  }

  /** @returns whether it is sent or queued; false without such a channel or with a full queue */
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
      // Larger than the receiver accepts.
      return false;
    }
  }

  /** Keeps a message for a participant who is still connecting, so that they miss none. */
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
