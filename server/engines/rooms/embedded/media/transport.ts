import { randomBytes } from 'node:crypto';
import {
  RTCDtlsFingerprint,
  RTCDtlsParameters,
  RTCDtlsTransport,
  RTCIceGatherer,
  RTCIceTransport,
} from 'werift';
import { Rate } from '#server/engines/rooms/embedded/rate';
import { DataChannels } from './data-channels.ts';
import { provesItsCertificate } from './dtls-proof.ts';
import { AEAD_AES_128_GCM, AES_CM_128_HMAC_SHA1_80, keyLengths, Srtp } from './srtp.ts';
import { type BindingRequest, bindingSuccess } from './stun.ts';
import type { HostCandidate, MediaPeer, Route, UdpPorts } from './udp-ports.ts';

export interface IceCredentials {
  fragment: string;
  password: string;
}

export interface Fingerprint {
  algorithm: string;
  value: string;
}

interface TransportListener {
  /** Media and data can flow. */
  onConnected(): void;
  /** Lost for good: the handshake failed, or the peer closed or fell silent. */
  onLost(): void;
  onRtp(header: Buffer, payload: Buffer): void;
  onRtcp(compound: Buffer): void;
  onData(label: string, bytes: Buffer): void;
}

/** Creates the certificate for all connections of this process. */
export async function prepareTransports(): Promise<void> {
  await RTCDtlsTransport.SetupCertificate();
}

/**
 * A peer sends a binding request at least every 2.5 s; silence for this long (RFC 7675) means that its
 * network is lost.
 */
const SILENCE_MS = 30_000;
const CHECK_MS = 2_000;
/** Packets per second from one peer: 1 MB/s of data, and several videos. */
const MAX_DATA_PACKETS = 1_500;
const MAX_MEDIA_PACKETS = 3_000;
/**
 * Connectivity checks, each of which is signed and answered; a client with many addresses sends a few dozen
 * at once.
 */
const MAX_BINDINGS = { perSecond: 50, atOnce: 500 };
/** Packets kept while the peer's description is still on its way. */
const MAX_EARLY_PACKETS = 16;

/**
 * The lower half of a WebRTC connection, server side: ICE-lite (RFC 8445, 2.5), DTLS as the passive side,
 * SRTP, and data channels. Higher layers decide what the ends may send.
 */
export class Transport implements MediaPeer {
  readonly data: DataChannels;
  readonly #udp: UdpPorts;
  readonly #listener: TransportListener;
  readonly #dtls: RTCDtlsTransport;
  readonly #ice: RTCIceTransport;
  #credentials: IceCredentials[] = [];
  #route: Route | null = null;
  #srtp: Srtp | null = null;
  #early: Buffer[] | null = [];
  #lastPacketAt = Date.now();
  #checking: NodeJS.Timeout;
  #ended = false;
  readonly #dataRate = new Rate(MAX_DATA_PACKETS);
  readonly #mediaRate = new Rate(MAX_MEDIA_PACKETS);
  readonly #bindingRate = new Rate(MAX_BINDINGS.perSecond, MAX_BINDINGS.atOnce);

  /** Call `prepareTransports` first. */
  constructor(udp: UdpPorts, listener: TransportListener) {
    this.#udp = udp;
    this.#listener = listener;
    this.#ice = new RTCIceTransport(new RTCIceGatherer());
    // Only the library's interface to its ends is used; routing is done here.
    this.#ice.connection.send = async (packet) => this.#route?.send(packet);
    this.#dtls = new RTCDtlsTransport({}, this.#ice, RTCDtlsTransport.localCertificate, [
      AEAD_AES_128_GCM,
      AES_CM_128_HMAC_SHA1_80,
    ]);
    this.#dtls.role = 'server';
    // Replaced by our own SRTP.
    this.#dtls.startSrtp = () => {};
    this.#dtls.onStateChange.subscribe((state) => {
      if (state === 'closed' || state === 'failed') this.#lose();
    });
    this.data = new DataChannels(this.#dtls, {
      onMessage: (label, bytes) => listener.onData(label, bytes),
      onAbuse: () => this.#lose(),
    });
    this.#checking = setInterval(() => {
      if (Date.now() - this.#lastPacketAt > SILENCE_MS) this.#lose();
    }, CHECK_MS);
    this.restartIce();
  }

  /** Our certificate's fingerprint, for descriptions. */
  get fingerprint(): Fingerprint {
    const [own] = this.#dtls.localParameters.fingerprints;
    return { algorithm: own?.algorithm ?? 'sha-256', value: own?.value ?? '' };
  }

  get credentials(): IceCredentials {
    const [newest] = this.#credentials;
    return newest ?? { fragment: '', password: '' };
  }

  get candidates(): HostCandidate[] {
    return this.#udp.candidates;
  }

  get isConnected(): boolean {
    return this.#srtp !== null && !this.#ended;
  }

  /** Arrival of the peer's last packet, as Date.now(). */
  get lastPacketAt(): number {
    return this.#lastPacketAt;
  }

  /** New credentials for the next description. The old ones stay valid until the peer has switched. */
  restartIce(): void {
    const credentials = {
      fragment: randomBytes(6).toString('base64url').replaceAll(/[-_]/g, 'x'),
      password: randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x'),
    };
    for (const { fragment } of this.#credentials.slice(1)) this.#udp.unregister(fragment);
    this.#credentials = [credentials, ...this.#credentials.slice(0, 1)];
    this.#lastPacketAt = Date.now();
    this.#udp.register(credentials.fragment, this);
  }

  /** Takes the peer's certificate fingerprint from its description and starts the handshake; once. */
  start(remote: Fingerprint): void {
    const early = this.#early;
    if (!early || this.#ended) return;
    this.#early = null;
    this.#dtls.setRemoteParams(
      new RTCDtlsParameters([new RTCDtlsFingerprint(remote.algorithm, remote.value)], 'client'),
    );
    this.#dtls.start().then(
      () => this.#secured(),
      () => this.#lose(),
    );
    for (const packet of early) this.#handOn(packet);
  }

  onBindingRequest(request: BindingRequest, route: Route): boolean {
    const credentials = this.#credentials.find(({ fragment }) => fragment === request.localFragment);
    if (!credentials || this.#ended || !this.#bindingRate.take()) return false;
    if (!request.isSignedWith(credentials.password)) return false;
    this.#lastPacketAt = Date.now();
    // The peer is the controlling side: it selects the route.
    if (!this.#route || request.nominates) this.#route = route;
    route.send(bindingSuccess(request, route.remote, credentials.password));
    return true;
  }

  onPacket(packet: Buffer, route: Route): void {
    const first = packet[0] ?? 0;
    if (first >= 20 && first <= 63) {
      // Excess is dropped like lost packets, which makes an honest sender slow down.
      if (!this.#dataRate.take()) return;
      this.#route ??= route;
      if (!this.#early) this.#handOn(packet);
      else if (this.#early.length < MAX_EARLY_PACKETS) this.#early.push(packet);
      return;
    }
    if (!this.#srtp || first < 128 || first > 191 || packet.length < 8) return;
    if (!this.#mediaRate.take()) return;
    const second = packet[1] ?? 0;
    // Packet types of RTCP on the same port (RFC 5761).
    if (second >= 192 && second <= 223) {
      const compound = this.#srtp.unprotectRtcp(packet);
      if (!compound) return;
      this.#lastPacketAt = Date.now();
      this.#listener.onRtcp(compound);
      return;
    }
    const opened = this.#srtp.unprotect(packet);
    if (!opened) return;
    this.#lastPacketAt = Date.now();
    this.#listener.onRtp(opened.header, opened.payload);
  }

  sendRtp(header: Buffer, payload: Buffer, ssrc: number, sequence: number): void {
    if (this.#srtp) this.#route?.send(this.#srtp.protect(header, payload, ssrc, sequence));
  }

  /** Drops the state of a source that has ended. */
  forgetSource(ssrc: number): void {
    this.#srtp?.forgetSent(ssrc);
  }

  sendRtcp(packets: readonly Buffer[]): void {
    if (this.#srtp && packets.length > 0) this.#route?.send(this.#srtp.protectRtcp(Buffer.concat(packets)));
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#checking);
    this.#udp.forget(this);
    await this.data.close();
    await this.#dtls.stop();
  }

  #handOn(packet: Buffer): void {
    try {
      this.#ice.connection.onData.execute(packet);
    } catch {
      // Not DTLS; strangers get no answer.
    }
  }

  #secured(): void {
    const { dtls } = this.#dtls;
    if (this.#ended || !dtls) return;
    if (!provesItsCertificate(dtls)) {
      this.#lose();
      return;
    }
    const profile = dtls.srtp.srtpProfile;
    if (profile !== AEAD_AES_128_GCM && profile !== AES_CM_128_HMAC_SHA1_80) {
      this.#lose();
      return;
    }
    const { key, salt } = keyLengths(profile);
    const material = dtls.exportKeyingMaterial('EXTRACTOR-dtls_srtp', 2 * (key + salt));
    const cut = (start: number, length: number) => Buffer.from(material.subarray(start, start + length));
    this.#srtp = new Srtp(profile, {
      remoteKey: cut(0, key),
      localKey: cut(key, key),
      remoteSalt: cut(2 * key, salt),
      localSalt: cut(2 * key + salt, salt),
    });
    this.#lastPacketAt = Date.now();
    this.data.start();
    this.#listener.onConnected();
  }

  #lose(): void {
    if (this.#ended) return;
    void this.close();
    this.#listener.onLost();
  }
}
