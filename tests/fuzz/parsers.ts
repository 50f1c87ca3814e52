import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  AddTrackRequest,
  DataPacket,
  DataStream_Header,
  DataStream_TextHeader,
  JoinRequest,
  SessionDescription,
  SignalRequest,
  UpdateSubscription,
  UserPacket,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol';
import { decodeWav, WavError } from '#server/audio/wav';
import { readPassages } from '#server/dialogue/passages/read';
import { nack, readRtcp, receiverReport, senderReport } from '#server/engines/rooms/embedded/media/rtcp';
import { headerLength, readRtp } from '#server/engines/rooms/embedded/media/rtp';
import { BadDescription, readDescription } from '#server/engines/rooms/embedded/media/sdp';
import { AEAD_AES_128_GCM, AES_CM_128_HMAC_SHA1_80, Srtp } from '#server/engines/rooms/embedded/media/srtp';
import { readBindingRequest } from '#server/engines/rooms/embedded/media/stun';
import { BadJoinRequest, readArrival } from '#server/engines/rooms/embedded/signalling/join-request';
import { HEAD_BYTES, tellAudio } from '#server/features/conversations/recordings/audio-file';
import { readByteRange } from '#server/features/conversations/recordings/byte-range';
import { mask } from '#server/features/turns/masking/mask';
import { createHostCheck } from '#server/http/hosts';
import { packOf } from '#server/languages/index';
import { credentialsSchema, registrationSchema } from '#shared/accounts';
import { maskSchema } from '#shared/agents';
import { handshakeAuthSchema, startConversationSchema, userMessageSchema } from '#shared/realtime';
import type { FuzzedParser } from './run.ts';

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url));
const recording = (name: string) => file(`tests/fixtures/recordings/${name}`).subarray(0, 30_000);
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

const description = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'a=ice-ufrag:frag',
  'a=ice-pwd:a-password-of-some-length',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63',
  'a=mid:0',
  'a=sendonly',
  'a=msid:stream track',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtcp-fb:111 nack',
  'a=rtcp-fb:* transport-cc',
  'a=ssrc-group:FID 1 2',
  'a=ssrc:1 cname:x',
  'a=rid:q send',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=mid:1',
  'a=max-message-size:65536',
  '',
].join('\r\n');

function bindingRequest(): Buffer {
  const packet = Buffer.alloc(56);
  packet.writeUInt16BE(1, 0);
  packet.writeUInt16BE(36, 2);
  packet.writeUInt32BE(0x2112a442, 4);
  packet.writeUInt16BE(6, 20);
  packet.writeUInt16BE(6, 22);
  packet.write('frag:x', 24);
  packet.writeUInt16BE(8, 32);
  packet.writeUInt16BE(20, 34);
  return packet;
}

/** With one-byte and with two-byte extensions (RFC 8285). */
const rtpPackets = ['bede', '1000'].map((profile) =>
  Buffer.from(`906f00010000000200000003${profile}000210ff213132000000deadbeef`, 'hex'),
);

const report = {
  ssrc: 1,
  fractionLost: 0.5,
  lost: 3,
  highest: 9,
  jitter: 2,
  lastSenderReport: 1,
  delaySinceSenderReport: 1,
};

const requests: SignalRequest['message'][] = [
  { case: 'offer', value: new SessionDescription({ type: 'offer', sdp: description }) },
  { case: 'addTrack', value: new AddTrackRequest({ cid: 'c', name: 'microphone' }) },
  { case: 'subscription', value: new UpdateSubscription({ trackSids: ['TR_1', 'TR_2'], subscribe: true }) },
  { case: 'ping', value: 1n },
];

const packets: DataPacket['value'][] = [
  { case: 'user', value: new UserPacket({ payload: new Uint8Array(20), topic: 'chat' }) },
  {
    case: 'streamHeader',
    value: new DataStream_Header({
      streamId: 's',
      topic: 'words',
      contentHeader: { case: 'textHeader', value: new DataStream_TextHeader() },
    }),
  },
];

const join = new JoinRequest({ metadata: 'm', participantAttributes: { mood: 'good' } }).toBinary();
const wrapped = [
  new WrappedJoinRequest({ joinRequest: join }),
  new WrappedJoinRequest({
    joinRequest: gzipSync(join),
    compression: WrappedJoinRequest_Compression.GZIP,
  }),
].map((request) => Buffer.from(request.toBinary()));

const company = [
  '# Delivery\n\nWe ship to **Canada**.\n\n- Free from €50\n- Else €4.90\n\n| To | Days |\n|---|---|\n| Oslo | 5 |\n',
  '<html><body><h1>Refunds</h1><p>Within <b>14</b> days.<ul><li>By card<li>By post</ul><table><tr><td>a<td>b</table>',
  '---\ntitle: Opening\n---\nQ: When are you open?\nA: From 9 to 6.\n\n```\ncode\n```\n> said\n\n1. One\n   2. Two\n',
].map((text) => Buffer.from(text));

const messages = [
  'Hello, I am Ada! My order 4711 is late, and nobody answers. Can I get my money back? Write to ada@example.com.',
  'No. 4111 1111 1111 1111, or DE89 3704 0044 0532 0130 00; call me at +44 7700 900417 on 12/03 at 9:30 am',
  'What does express delivery to Norway cost, how long does it take, and do you ship on twenty-first of May?',
].map((text) => Buffer.from(text));

const srtpKeys = () => ({
  localKey: Buffer.alloc(16, 1),
  localSalt: Buffer.alloc(14, 2),
  remoteKey: Buffer.alloc(16, 1),
  remoteSalt: Buffer.alloc(14, 2),
});
const srtpProfiles = [AEAD_AES_128_GCM, AES_CM_128_HMAC_SHA1_80] as const;
const sealed = srtpProfiles.flatMap((profile) => {
  const srtp = new Srtp(profile, srtpKeys());
  return [
    ...rtpPackets.map((packet) => {
      const length = headerLength(packet);
      return srtp.protect(packet.subarray(0, length), packet.subarray(length), 3, 1);
    }),
    srtp.protectRtcp(receiverReport(1, [report])),
  ];
});

const speaksEnglish = packOf('en');
const isAllowedHost = createHostCheck({ publicUrl: null, allowedHosts: ['.example.com'] });

/**
 * A library's reader says in an error of its own that something is none of its messages; whoever calls it expects that. Of
 * groups in groups, which no message of ours has, it says so when the stack is full.
 */
const isError = (error: unknown) => error instanceof Error && !/memory/i.test(error.message);

/** Text that came as JSON, held against what a client may send. */
const readJson =
  (...schemas: { safeParse(value: unknown): unknown }[]) =>
  (bytes: Buffer) => {
    const value: unknown = JSON.parse(bytes.toString());
    for (const schema of schemas) schema.safeParse(value);
  };

export const parsers: readonly FuzzedParser[] = [
  {
    name: 'sdp',
    samples: [Buffer.from(description)],
    parse: (bytes) => readDescription(bytes.toString()),
    refuses: (error) => error instanceof BadDescription,
  },
  {
    name: 'stun',
    samples: [bindingRequest()],
    parse: (bytes) => readBindingRequest(bytes)?.isSignedWith('a-password'),
  },
  {
    name: 'rtp',
    samples: rtpPackets,
    parse(bytes) {
      const length = headerLength(bytes);
      if (length < 0) return;
      readRtp(bytes.subarray(0, length), bytes.subarray(length), { audioLevel: 1, mid: 2, rid: 3 });
    },
  },
  {
    name: 'rtcp',
    samples: [
      receiverReport(1, [report, report]),
      senderReport({ ssrc: 1, ntpSeconds: 1, ntpFraction: 1, rtpTimestamp: 1, packets: 1, bytes: 1 }),
      nack(1, 2, [1, 2, 3, 40, 90]),
    ],
    parse: readRtcp,
  },
  {
    name: 'srtp',
    samples: sealed,
    parse(bytes) {
      for (const profile of srtpProfiles) {
        const srtp = new Srtp(profile, srtpKeys());
        srtp.unprotect(bytes);
        srtp.unprotectRtcp(bytes);
      }
    },
  },
  {
    name: 'signalling',
    samples: requests.map((message) => Buffer.from(new SignalRequest({ message }).toBinary())),
    parse: (bytes) => SignalRequest.fromBinary(bytes),
    refuses: isError,
  },
  {
    name: 'data',
    samples: packets.map((value) => Buffer.from(new DataPacket({ value }).toBinary())),
    parse: (bytes) => DataPacket.fromBinary(bytes),
    refuses: isError,
  },
  {
    name: 'join-request',
    samples: wrapped,
    parse: (bytes) =>
      readArrival(new URL(`http://x/rtc/v1?join_request=${bytes.toString('base64url') || 'x'}`)),
    refuses: (error) => error instanceof BadJoinRequest,
  },
  {
    name: 'uploads',
    samples: ['browser.mp4', 'browser.webm', 'opus.ogg', 'opus.webm', 'pcm.wav', 'tone.mp3', 'aac.mp4'].map(
      recording,
    ),
    parse(bytes) {
      const kind = tellAudio(bytes.subarray(0, HEAD_BYTES));
      const meter = kind?.measure?.();
      for (let at = 0; at < bytes.length; at += 1_400) meter?.take(bytes.subarray(at, at + 1_400));
      kind?.durationMs(bytes.length);
      kind?.isEmpty(bytes.length);
      meter?.durationMs();
    },
  },
  {
    name: 'wav',
    samples: [recording('pcm.wav').subarray(0, 4_000)],
    parse: decodeWav,
    refuses: (error) => error instanceof WavError,
  },
  {
    name: 'company',
    samples: company,
    // Read in a thread of its own, at some 10 µs a character however long it is.
    maxBytes: 4_000,
    parse: (bytes) => readPassages(bytes.toString(), speaksEnglish),
  },
  {
    name: 'messages',
    samples: messages,
    // Read and masked in the thread that everybody's messages come through.
    maxBytes: 8_000,
    parse(bytes) {
      const text = bytes.toString();
      mask(text, maskSchema.options, speaksEnglish.messages);
      speaksEnglish.messages.read(text);
      speaksEnglish.splitSentences(text);
      speaksEnglish.messages.title([text], []);
      speaksEnglish.messages.contactIn(text, 'name');
    },
  },
  {
    name: 'headers',
    samples: ['bytes=0-99', 'bytes=-5', '[::1]:3000', 'care.example.com:443'].map((text) =>
      Buffer.from(text),
    ),
    parse(bytes) {
      readByteRange(bytes.toString('latin1'), 1_000);
      isAllowedHost(bytes.toString('latin1'));
    },
  },
  {
    name: 'bodies',
    samples: [
      json({ name: 'Ada', email: 'ada@example.com', password: 'correct horse', invitation: 'x' }),
      json({ email: 'ada@example.com', password: 'correct horse' }),
    ],
    parse: readJson(registrationSchema, credentialsSchema),
    refuses: (error) => error instanceof SyntaxError,
  },
  {
    name: 'events',
    samples: [
      json({ userId: 'u', agentId: 'a', agentInfo: { name: 'Mia', prompts: ['x'] }, voice: true }),
      json({ conversationId: 'c', message: 'Hello?', clientMessageId: 'm' }),
      json({ token: 't', streaming: true }),
    ],
    parse: readJson(startConversationSchema, userMessageSchema, handshakeAuthSchema),
    refuses: (error) => error instanceof SyntaxError,
  },
];
