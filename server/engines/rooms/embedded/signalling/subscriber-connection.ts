import { SessionDescription } from '@livekit/protocol';
import type { Subscription } from '#server/engines/rooms/embedded/forwarding/subscription';
import { forwardedCodec } from '#server/engines/rooms/embedded/media/codecs';
import { readRtcp } from '#server/engines/rooms/embedded/media/rtcp';
import { MAX_SECTIONS, type MediaKind, readDescription } from '#server/engines/rooms/embedded/media/sdp';
import { Transport } from '#server/engines/rooms/embedded/media/transport';
import type { UdpPorts } from '#server/engines/rooms/embedded/media/udp-ports';
import { type LocalSection, writeDescription } from '#server/engines/rooms/embedded/media/write-sdp';
import type { Downlink } from './downlink.ts';

interface SubscriberHost {
  readonly sid: string;
  sendOffer(offer: SessionDescription): void;
  onConnected(): void;
  onLost(): void;
  /** An offer was not answered in time. */
  onStalled(): void;
}

interface Slot {
  mid: string;
  kind: MediaKind;
  subscription: Subscription | null;
  /** Its subscription has ended, and the client has not confirmed that yet. */
  mustRest: boolean;
}

const DATA_MID = '0';
const ANSWER_WITHIN_MS = 15_000;

/** The connection whose offers come from the server: on it a client with two connections receives. */
export class SubscriberConnection implements Downlink {
  readonly transport: Transport;
  readonly #host: SubscriberHost;
  readonly #slots: Slot[] = [];
  /** Subscriptions that wait for a free section. */
  readonly #waiting = new Set<Subscription>();
  readonly #subscriptions = new Map<number, Subscription>();
  #offerId = 0;
  #outstanding: { id: number; resting: Slot[]; timer: NodeJS.Timeout } | null = null;
  #isDirty = false;
  #closed = false;

  constructor(udp: UdpPorts, host: SubscriberHost) {
    this.#host = host;
    this.transport = new Transport(udp, {
      onConnected: () => host.onConnected(),
      onLost: () => host.onLost(),
      // Clients send no media here.
      onRtp: () => {},
      onData: () => {},
      onRtcp: (compound) => this.#onRtcp(compound),
    });
    this.transport.data.open('_reliable', 1, { ordered: true });
    this.transport.data.open('_lossy', 3, { ordered: false, maxRetransmits: 0 });
  }

  place(subscription: Subscription): void {
    if (this.#findSlot(subscription)) this.negotiate();
    else this.#waiting.add(subscription);
  }

  #findSlot(subscription: Subscription): boolean {
    const { kind } = subscription.publication;
    let slot = this.#slots.find((free) => free.kind === kind && !free.subscription && !free.mustRest);
    if (!slot) {
      // The data section counts, too.
      if (this.#slots.length + 1 >= MAX_SECTIONS) return false;
      slot = { mid: String(this.#slots.length + 1), kind, subscription: null, mustRest: false };
      this.#slots.push(slot);
    }
    slot.subscription = subscription;
    this.#subscriptions.set(subscription.ssrc, subscription);
    return true;
  }

  release(subscription: Subscription): void {
    this.#waiting.delete(subscription);
    this.#subscriptions.delete(subscription.ssrc);
    subscription.stop();
    const slot = this.#slots.find((taken) => taken.subscription === subscription);
    if (!slot) return;
    slot.subscription = null;
    slot.mustRest = true;
    this.negotiate();
  }

  /** Offers the current sections, after the client has answered the previous offer. */
  negotiate(options: { iceRestart?: boolean } = {}): void {
    if (this.#closed) return;
    if (this.#outstanding && !options.iceRestart) {
      this.#isDirty = true;
      return;
    }
    if (options.iceRestart) this.transport.restartIce();
    if (this.#outstanding) clearTimeout(this.#outstanding.timer);
    this.#isDirty = false;
    const id = ++this.#offerId;
    this.#outstanding = {
      id,
      resting: this.#slots.filter(({ mustRest }) => mustRest),
      timer: setTimeout(() => this.#host.onStalled(), ANSWER_WITHIN_MS),
    };
    const midToTrackId: Record<string, string> = {};
    for (const { mid, subscription } of this.#slots)
      if (subscription) midToTrackId[mid] = subscription.publication.info.sid;
    const sections: LocalSection[] = [
      { kind: 'application', mid: DATA_MID },
      ...this.#slots.map(({ mid, kind, subscription }): LocalSection => {
        const stereo = subscription?.publication.info.stereo ?? false;
        const section = { kind, mid, extensions: [], codec: forwardedCodec(kind, { stereo }) };
        return subscription
          ? { ...section, direction: 'sendonly', source: subscription.source }
          : { ...section, direction: 'inactive' };
      }),
    ];
    const sdp = writeDescription({
      session: `${this.#host.sid}/subscriber`,
      version: id,
      setup: 'actpass',
      transport: this.transport,
      sections,
    });
    this.#host.sendOffer(new SessionDescription({ type: 'offer', sdp, id, midToTrackId }));
  }

  /** @throws BadDescription if the answer is invalid */
  answered(answer: SessionDescription): void {
    const outstanding = this.#outstanding;
    if (!outstanding || (answer.id !== 0 && answer.id !== outstanding.id)) return;
    const remote = readDescription(answer.sdp);
    clearTimeout(outstanding.timer);
    this.#outstanding = null;
    this.transport.start(remote.fingerprint);
    for (const slot of outstanding.resting) slot.mustRest = false;
    for (const section of remote.sections) {
      if (section.mid === DATA_MID) {
        this.transport.data.want(section.maxMessageBytes);
        continue;
      }
      const subscription = this.#slots.find(({ mid }) => mid === section.mid)?.subscription;
      if (!subscription || subscription.isPlaced || section.direction === 'inactive') continue;
      const payloadType = section.codecs[0]?.payloadType;
      if (section.accepted && payloadType !== undefined) subscription.start(section.mid, payloadType);
    }
    for (const subscription of this.#waiting) {
      if (!this.#findSlot(subscription)) continue;
      this.#waiting.delete(subscription);
      this.#isDirty = true;
    }
    if (this.#isDirty) this.negotiate();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#outstanding) clearTimeout(this.#outstanding.timer);
    this.#outstanding = null;
    await this.transport.close();
  }

  #onRtcp(compound: Buffer): void {
    for (const item of readRtcp(compound)) {
      if (item.type === 'report') this.#subscriptions.get(item.block.ssrc)?.onReport(item.block);
      else if (item.type === 'nack') this.#subscriptions.get(item.ssrc)?.resend(item.sequences);
      else if (item.type === 'keyframe-request')
        this.#subscriptions.get(item.ssrc)?.publication.requestKeyframe();
    }
  }
}
