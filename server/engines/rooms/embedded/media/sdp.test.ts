import { describe, expect, it } from 'vitest';
import { BadDescription, readDescription } from './sdp.ts';

const transport = ['a=ice-ufrag:1234', 'a=ice-pwd:0123456789', 'a=fingerprint:SHA-256 AB:CD'];
const description = (...lines: string[]) =>
  ['v=0', 'o=- 1 1 IN IP4 0.0.0.0', 's=-', 't=0 0', ...transport, ...lines, ''].join('\r\n');
const video = ['m=video 9 UDP/TLS/RTP/SAVPF 96 97', 'a=mid:0'];

describe('a description', () => {
  it('gives each codec its own parameters and feedback, and what is meant for all', () => {
    const { sections } = readDescription(
      description(
        ...video,
        'a=rtpmap:96 VP8/90000',
        'a=rtpmap:97 rtx/90000',
        'a=fmtp:97 apt=96',
        'a=rtcp-fb:96 nack pli',
        'a=rtcp-fb:* goog-remb',
      ),
    );
    expect(sections[0]?.codecs).toEqual([
      { payloadType: 96, name: 'vp8', parameters: '', feedback: ['nack pli', 'goog-remb'] },
      { payloadType: 97, name: 'rtx', parameters: 'apt=96', feedback: ['goog-remb'] },
    ]);
  });

  it('keeps names that are only digits, and ids in braces', () => {
    const read = readDescription(description(...video, 'a=msid:- {0c8b064d-d807-43b4}'));
    expect(read.credentials).toEqual({ fragment: '1234', password: '0123456789' });
    expect(read.sections[0]?.trackId).toBe('{0c8b064d-d807-43b4}');
  });

  it('is read as far as a client of today goes, however often a line comes', () => {
    const often = (line: (n: number) => string) => Array.from({ length: 9_000 }, (_, n) => line(n));
    const { sections } = readDescription(
      description(
        ...video,
        ...often((n) => `a=rtpmap:${n % 300} X${n}/1`),
        ...often((n) => `a=fmtp:96 x=${n}`),
        ...often(() => 'a=rtcp-fb:* nack'),
      ),
    );
    const codecs = sections[0]?.codecs ?? [];
    expect(codecs).toHaveLength(128);
    expect(codecs[96]).toMatchObject({ payloadType: 96, name: 'x96', parameters: 'x=0' });
    expect(codecs.every(({ feedback }) => feedback.length === 32)).toBe(true);
  });

  it('without a transport, or a name twice, is none', () => {
    expect(() => readDescription(['v=0', ...video].join('\r\n'))).toThrow(BadDescription);
    expect(() => readDescription(description(...video, ...video))).toThrow(BadDescription);
  });
});
