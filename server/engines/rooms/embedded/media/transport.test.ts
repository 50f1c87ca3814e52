import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RTCPeerConnection } from 'werift';
import { provesItsCertificate } from './dtls-proof.ts';
import { readDescription } from './sdp.ts';
import { prepareTransports, Transport } from './transport.ts';
import { UdpPorts } from './udp-ports.ts';
import { writeDescription } from './write-sdp.ts';

const SOON = { interval: 20 };

describe('a transport', () => {
  let udp: UdpPorts;
  let transport: Transport;
  let peer: RTCPeerConnection;
  let told: string[];

  beforeAll(() => prepareTransports());
  beforeEach(async () => {
    told = [];
    udp = await UdpPorts.open({ ports: null, externalAddress: null, addresses: ['127.0.0.1'] });
    transport = new Transport(udp, {
      onConnected: () => told.push('connected'),
      onLost: () => told.push('lost'),
      onRtp: () => {},
      onRtcp: () => {},
      onData: (label, bytes) => told.push(`${label}: ${bytes}`),
    });
    peer = new RTCPeerConnection({
      iceServers: [],
      bundlePolicy: 'max-bundle',
      iceUseIpv6: false,
      iceAdditionalHostAddresses: ['127.0.0.1'],
    });
  });
  afterEach(async () => {
    await peer.close();
    await transport.close();
    await udp.close();
  });

  /** The peer offers a data channel, and the transport answers. */
  const connect = async (
    changeFingerprint: (value: string) => string = (value) => value,
    onHeard: (line: string) => void = () => {},
  ) => {
    const channel = peer.createDataChannel('_reliable');
    channel.onMessage.subscribe((message) => onHeard(message.toString()));
    channel.stateChanged.subscribe((state) => {
      if (state === 'open') channel.send(Buffer.from('hello'));
    });
    await peer.setLocalDescription(await peer.createOffer());
    const offer = readDescription(peer.localDescription?.sdp ?? '');
    const { algorithm, value } = offer.fingerprint;
    transport.data.want(offer.sections[0]?.maxMessageBytes ?? null);
    transport.start({ algorithm, value: changeFingerprint(value) });
    const sdp = writeDescription({
      session: 'test',
      version: 1,
      setup: 'passive',
      transport,
      sections: [{ kind: 'application', mid: offer.sections[0]?.mid ?? '' }],
    });
    await peer.setRemoteDescription({ type: 'answer', sdp });
  };

  it('connects, carries data, and is lost when the peer goes', async () => {
    await connect();
    await expect.poll(() => told, SOON).toEqual(['connected', '_reliable: hello']);
    expect(transport.isConnected).toBe(true);
    await transport.close();
    expect(transport.isConnected).toBe(false);
    expect(udp.size).toBe(1);
  });

  it('keeps what is said reliably before the channel is open', async () => {
    const heard: string[] = [];
    const said = Array.from({ length: 20 }, (_, n) => `line ${n}`);
    for (const line of said) expect(transport.data.send('_reliable', Buffer.from(line))).toBe(true);
    expect(transport.data.send('_lossy', Buffer.from('quick'))).toBe(false);
    expect(transport.data.send('_reliable', Buffer.alloc(2_000_000))).toBe(false);
    await connect(
      (value) => value,
      (line) => heard.push(line),
    );
    await expect.poll(() => heard, SOON).toEqual(said);
  });

  it('is lost to a peer that opens channel after channel', async () => {
    await connect();
    await expect.poll(() => told, SOON).toContain('_reliable: hello');
    for (let n = 0; n < 40; n++) peer.createDataChannel(`channel ${n}`);
    await expect.poll(() => told, SOON).toContain('lost');
  });

  it.each([
    ['leaves a hole and never fills it', 2, 3],
    ['begins what it never ends', 1, 0],
  ])('is lost to a peer that %s', async (_what, ahead, flags) => {
    await connect();
    await expect.poll(() => told, SOON).toContain('_reliable: hello');
    const sctp = peer.sctpTransport?.sctp;
    if (!sctp) throw new Error('The peer has data channels.');
    const send = sctp.sendChunk.bind(sctp);
    const flooded = new Promise<void>((resolve, reject) => {
      sctp.sendChunk = async (chunk) => {
        if (!('tsn' in chunk) || typeof chunk.tsn !== 'number' || chunk.type !== 0) return send(chunk);
        const { tsn } = chunk;
        sctp.sendChunk = send;
        // Packets beyond the limit are dropped, so keep flooding until it is noticed.
        for (let n = 0; !told.includes('lost'); n++) {
          Object.assign(chunk, { tsn: (tsn + n + ahead - 1) >>> 0, flags: flags || (n === 0 ? 2 : 0) });
          await send(chunk).catch(reject);
          if (n % 50 === 0) await new Promise((next) => setTimeout(next, 10));
        }
        resolve();
      };
    });
    peer.createDataChannel('_lossy');
    await flooded;
    await expect.poll(() => told, SOON).toContain('lost');
  });

  it('takes no peer whose certificate is not the one it announced', async () => {
    await connect((value) => value.replace(/^../, (first) => (first === '00' ? '01' : '00')));
    await expect.poll(() => told, SOON).toEqual(['lost']);
  });

  it('takes no certificate from whoever does not hold its key', async () => {
    await connect();
    await expect.poll(() => told, SOON).toContain('connected');
    const { dtls } = peer.dtlsTransports[0] ?? {};
    if (!dtls) throw new Error('The handshake is over.');
    const { remoteCertificate } = dtls;
    const messages = dtls.dtls.sortedHandshakeCache;
    const judged = (sortedHandshakeCache: typeof messages) =>
      provesItsCertificate({ remoteCertificate, dtls: { sortedHandshakeCache } });
    expect(judged(messages)).toBe(true);
    // A handshake with another party's key exchange, or without proof.
    const keyExchange = messages.find(({ msg_type: type }) => type === 16);
    keyExchange?.fragment.reverse();
    expect(judged(messages)).toBe(false);
    expect(judged(messages.filter(({ msg_type: type }) => type !== 15))).toBe(false);
  });
});
