import { SessionDescription } from '@livekit/protocol';
import type { Publication } from '#server/engines/rooms/embedded/forwarding/publication';
import type { Subscription } from '#server/engines/rooms/embedded/forwarding/subscription';
import {
  acceptedExtensions,
  forwardedCodec,
  offeredCodec,
  publishedCodec,
} from '#server/engines/rooms/embedded/media/codecs';
import { readRtcp } from '#server/engines/rooms/embedded/media/rtcp';
import { type ExtensionIds, readRtp } from '#server/engines/rooms/embedded/media/rtp';
import {
  type MediaKind,
  type RemoteSection,
  readDescription,
} from '#server/engines/rooms/embedded/media/sdp';
import { Transport } from '#server/engines/rooms/embedded/media/transport';
import type { UdpPorts } from '#server/engines/rooms/embedded/media/udp-ports';
import { type LocalSection, writeDescription } from '#server/engines/rooms/embedded/media/write-sdp';
import type { Downlink } from './downlink.ts';

/** The part of the participant that the connection uses. */
interface PublisherHost {
  readonly sid: string;
  /** Takes the announced publication of a sending section; null if not announced (yet). */
  claim(section: RemoteSection): Publication | null;
  /** Whether an announced track is still without a section. @param trackId the client's id */
  isAnnounced(trackId: string): boolean;
  onPublished(publication: Publication): void;
  onUnpublished(publication: Publication): void;
  onConnected(): void;
  onLost(): void;
  onData(label: string, bytes: Buffer): void;
  /** Asks the client for more receiving sections, in a new offer. */
  requireSections(missing: { audios: number; videos: number }): void;
}

interface Section {
  remote: RemoteSection;
  publication: Publication | null;
  subscription: Subscription | null;
  /** Its subscription has ended, and the client has not been told yet. */
  mustRest: boolean;
  rid: string;
}

/** Most sources of a publisher over its life. */
const MAX_SOURCES = 256;

/**
 * The connection whose offers come from the client. What the client sends in it is published; a client with a
 * single connection also receives in it, in sections it offers for that.
 */
export class PublisherConnection implements Downlink {
  readonly transport: Transport;
  readonly #host: PublisherHost;
  readonly #sections = new Map<string, Section>();
  readonly #sources = new Map<number, Publication | null>();
  readonly #subscriptions = new Map<number, Subscription>();
  readonly #waiting = new Set<Subscription>();
  #ids: ExtensionIds = { audioLevel: 0, mid: 0, rid: 0 };
  #remoteFragment = '';
  #version = 0;
  #asked = false;

  constructor(udp: UdpPorts, host: PublisherHost) {
    this.#host = host;
    this.transport = new Transport(udp, {
      onConnected: () => host.onConnected(),
      onLost: () => host.onLost(),
      onRtp: (header, payload) => this.#onRtp(header, payload),
      onRtcp: (compound) => this.#onRtcp(compound),
      onData: (label, bytes) => host.onData(label, bytes),
    });
  }

  /**
   * Accepts an offer.
   * @returns the answer
   * @throws BadDescription if the offer is invalid
   */
  answer(offer: SessionDescription): SessionDescription {
    const remote = readDescription(offer.sdp);
    if (this.#remoteFragment && this.#remoteFragment !== remote.credentials.fragment)
      this.transport.restartIce();
    this.#remoteFragment = remote.credentials.fragment;
    this.transport.start(remote.fingerprint);

    this.#forgetSections(remote.sections);
    const published = remote.sections.flatMap((section) => this.#take(section));
    this.#asked = false;
    this.#placeWaiting();
    const sdp = writeDescription({
      session: `${this.#host.sid}/publisher`,
      version: ++this.#version,
      setup: 'passive',
      transport: this.transport,
      sections: remote.sections.map((section) => this.#describe(section)),
    });
    const midToTrackId: Record<string, string> = {};
    for (const [mid, { subscription }] of this.#sections)
      if (subscription) midToTrackId[mid] = subscription.publication.info.sid;
    // After the answer was sent, so that the client knows its own track before others do.
    queueMicrotask(() => {
      for (const publication of published) this.#host.onPublished(publication);
    });
    return new SessionDescription({ type: 'answer', sdp, id: offer.id, midToTrackId });
  }

  /** Call after the answer was sent: requests sections that are still missing. */
  answered(): void {
    for (const section of this.#sections.values()) section.mustRest = false;
    this.#require(false);
  }

  /** A track was announced after its section was offered. */
  claimLate(): void {
    for (const section of this.#sections.values()) {
      const { remote } = section;
      if (!sends(remote) || section.publication || remote.kind === 'application') continue;
      const publication = this.#bind(section);
      if (publication) this.#host.onPublished(publication);
    }
  }

  place(subscription: Subscription): void {
    this.#waiting.add(subscription);
    this.#require(true);
  }

  release(subscription: Subscription): void {
    this.#waiting.delete(subscription);
    this.#subscriptions.delete(subscription.ssrc);
    const section = this.#sections.get(subscription.mid);
    subscription.stop();
    if (section?.subscription !== subscription) return;
    section.subscription = null;
    section.mustRest = true;
    this.#require(true);
  }

  /** A request for sections may have been lost with the socket. */
  resumed(): void {
    this.#asked = false;
    this.#require(false);
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  /** Drops sections that are no longer in the offer because another took their place (RFC 9429, 5.2.2). */
  #forgetSections(offered: readonly RemoteSection[]): void {
    const mids = new Set(offered.map(({ mid }) => mid));
    for (const [mid, { publication, subscription }] of this.#sections) {
      if (mids.has(mid)) continue;
      this.#sections.delete(mid);
      if (publication) {
        this.#forgetSources(publication);
        this.#host.onUnpublished(publication);
      }
      if (!subscription) continue;
      this.#subscriptions.delete(subscription.ssrc);
      subscription.stop();
      this.#waiting.add(subscription);
    }
  }

  /** Applies one section of an offer. @returns newly published tracks */
  #take(remote: RemoteSection): Publication[] {
    const known = this.#sections.get(remote.mid);
    const section: Section = known ?? {
      remote,
      publication: null,
      subscription: null,
      mustRest: false,
      rid: '',
    };
    section.remote = remote;
    this.#sections.set(remote.mid, section);
    if (remote.kind === 'application') {
      if (remote.accepted) this.transport.data.want(remote.maxMessageBytes);
      return [];
    }
    const { publication } = section;
    if (publication && (!sends(remote) || this.#isAnother(section))) {
      section.publication = null;
      this.#forgetSources(publication);
      this.#host.onUnpublished(publication);
    }
    if (!sends(remote) || section.publication) return [];
    const bound = this.#bind(section);
    return bound ? [bound] : [];
  }

  /** Whether a different track took the section's place within one offer. */
  #isAnother({ remote, publication }: Section): boolean {
    return remote.trackId !== publication?.clientId && this.#host.isAnnounced(remote.trackId);
  }

  #bind(section: Section): Publication | null {
    const { remote } = section;
    const codec = offeredCodec(remote);
    const publication = codec ? this.#host.claim(remote) : null;
    if (!codec || !publication) return null;
    section.publication = publication;
    section.rid = remote.rids.includes('f') ? 'f' : (remote.rids.at(-1) ?? '');
    publication.rid = section.rid;
    publication.info.mid = remote.mid;
    for (const codecInfo of publication.info.codecs) codecInfo.mid = remote.mid;
    publication.negotiated({ payloadType: codec.payloadType, repairs: codec.feedback.includes('nack') });
    if (remote.rids.length === 0 && remote.ssrcs[0]) this.#sources.set(remote.ssrcs[0], publication);
    const { ids } = acceptedExtensions(remote);
    this.#ids = {
      audioLevel: ids.audioLevel || this.#ids.audioLevel,
      mid: ids.mid || this.#ids.mid,
      rid: ids.rid || this.#ids.rid,
    };
    return publication;
  }

  #forgetSources(publication: Publication): void {
    for (const [ssrc, known] of this.#sources) if (known === publication) this.#sources.delete(ssrc);
  }

  #describe(remote: RemoteSection): LocalSection {
    const { mid } = remote;
    if (remote.kind === 'application' && remote.accepted) return { kind: 'application', mid };
    const codec = offeredCodec(remote);
    if (remote.kind === 'application' || !remote.accepted || !codec)
      return { kind: 'refused', media: remote.kind, mid, protocol: remote.protocol, formats: remote.formats };
    const section = this.#sections.get(mid);
    const subscription = section?.subscription ?? null;
    // Also in sections without media: Chromium omits in its next offer what one section omits.
    const extensions = acceptedExtensions(remote).accepted;
    if (subscription)
      return {
        kind: remote.kind,
        mid,
        direction: 'sendonly',
        extensions,
        codec: forwardedCodec(remote.kind, {
          payloadType: codec.payloadType,
          stereo: subscription.publication.info.stereo,
          allowed: codec.feedback,
        }),
        source: subscription.source,
      };
    const info = section?.publication?.info;
    return {
      kind: remote.kind,
      mid,
      direction: sends(remote) ? 'recvonly' : 'inactive',
      extensions,
      codec: publishedCodec(remote.kind, codec, {
        stereo: info?.stereo ?? false,
        silenceSuppressed: !(info?.disableDtx ?? true),
      }),
      ...(section?.rid && sends(remote) ? { rid: section.rid } : {}),
    };
  }

  #placeWaiting(): void {
    for (const subscription of this.#waiting) {
      const section = this.#freeSections(subscription.publication.kind)[0];
      const codec = section ? offeredCodec(section.remote) : null;
      if (!section || !codec) continue;
      this.#waiting.delete(subscription);
      section.subscription = subscription;
      this.#subscriptions.set(subscription.ssrc, subscription);
      subscription.start(section.remote.mid, codec.payloadType);
    }
  }

  #freeSections(kind: MediaKind): Section[] {
    return [...this.#sections.values()].filter(
      ({ remote, publication, subscription, mustRest }) =>
        remote.kind === kind &&
        remote.accepted &&
        remote.direction === 'recvonly' &&
        !publication &&
        !subscription &&
        !mustRest,
    );
  }

  /** @param always also if there are enough sections, so that the client makes a new offer */
  #require(always: boolean): void {
    // Before its first offer the client's abilities are unknown; it is checked then.
    if (this.#asked || this.#sections.size === 0) return;
    if (!always && this.#waiting.size === 0) return;
    const missing = (kind: MediaKind) => {
      const wanted = [...this.#waiting].filter(({ publication }) => publication.kind === kind).length;
      return Math.max(0, wanted - this.#freeSections(kind).length);
    };
    this.#asked = true;
    this.#host.requireSections({ audios: missing('audio'), videos: missing('video') });
  }

  #onRtp(header: Buffer, payload: Buffer): void {
    const packet = readRtp(header, payload, this.#ids);
    let publication = this.#sources.get(packet.ssrc);
    if (publication === undefined) {
      const section = packet.mid ? this.#sections.get(packet.mid) : undefined;
      if (!section?.publication || this.#sources.size >= MAX_SOURCES) return;
      if (section.rid && !packet.rid) return;
      publication = section.rid === packet.rid || !section.rid ? section.publication : null;
      this.#sources.set(packet.ssrc, publication);
    }
    if (publication?.payloadType === packet.payloadType) publication.receive(packet);
  }

  #onRtcp(compound: Buffer): void {
    for (const item of readRtcp(compound)) {
      if (item.type === 'sender-report') this.#sources.get(item.ssrc)?.onSenderReport(item);
      else if (item.type === 'report') this.#subscriptions.get(item.block.ssrc)?.onReport(item.block);
      else if (item.type === 'nack') this.#subscriptions.get(item.ssrc)?.resend(item.sequences);
      else this.#subscriptions.get(item.ssrc)?.publication.requestKeyframe();
    }
  }
}

const sends = ({ accepted, direction }: RemoteSection) => accepted && direction.startsWith('send');
