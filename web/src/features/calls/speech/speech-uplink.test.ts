import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SpeechAck, SpeechEnd, SpeechStart } from '#shared/realtime';
import { chunkOfSound } from './fake-microphone.ts';
import { type SpeechChannel, SpeechUplink } from './speech-uplink.ts';

const RATE = 16_000;
/** 48 ms. */
const CHUNK = 768;
const ok: SpeechAck = { ok: true };
const tooFast: SpeechAck = {
  ok: false,
  error: { message: 'Too fast.', code: 'rate-limited', retryable: true },
};
const refusal = (message: string): SpeechAck => ({
  ok: false,
  error: { message, code: 'unavailable', retryable: true },
});

/** The server's side; it accepts sound when the test says so. */
class FakeChannel implements SpeechChannel {
  readonly starts: SpeechStart[] = [];
  readonly ends: SpeechEnd[] = [];
  /** Chunks sent since the last start. */
  sent: { index: number; samples: number; first: number }[] = [];
  startAck: () => Promise<SpeechAck> = async () => ok;
  endAck: () => Promise<SpeechAck> = async () => ({ ok: true, text: 'hello' });
  /** Accepts everything at once unless this holds it back. */
  isHolding = false;
  readonly #waiting: { resolve: (ack: SpeechAck) => void; reject: (error: Error) => void }[] = [];

  speechStart(payload: SpeechStart) {
    this.starts.push(payload);
    this.sent = [];
    return this.startAck();
  }
  speechAudio(index: number, audio: ArrayBuffer) {
    const samples = new Int16Array(audio);
    this.sent.push({ index, samples: samples.length, first: samples[0] ?? 0 });
    if (!this.isHolding) return Promise.resolve(ok);
    return new Promise<SpeechAck>((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
  speechEnd(payload: SpeechEnd) {
    this.ends.push(payload);
    return this.endAck();
  }
  async acknowledge(ack: SpeechAck = ok, count = 1): Promise<void> {
    for (const { resolve } of this.#waiting.splice(0, count)) resolve(ack);
    await vi.advanceTimersByTimeAsync(0);
  }
  async lose(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('gone'));
    await vi.advanceTimersByTimeAsync(0);
  }
  get seconds(): number {
    return this.sent.reduce((sum, { samples }) => sum + samples, 0) / RATE;
  }
}

let channel: FakeChannel;
let told: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue();
  channel = new FakeChannel();
  told = [];
});

function uplink(
  mode: 'push-to-talk' | 'hands-free' = 'push-to-talk',
  options?: ConstructorParameters<typeof SpeechUplink>[3],
) {
  const listener = {
    refused: (message: string) => told.push(message),
    dropped: () => told.push('dropped'),
  };
  return new SpeechUplink(channel, { conversationId: 'call-1', sampleRate: RATE, mode }, listener, options);
}
const settle = () => vi.advanceTimersByTimeAsync(0);
/** Chunks whose first sample is their number. */
const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => chunkOfSound(CHUNK).fill(from + index));
const patience = () => AbortSignal.timeout(20_000);

describe('sending', () => {
  it('numbers what it sends, in order, without waiting for the start', async () => {
    channel.startAck = () => new Promise(() => {});
    const stream = uplink();
    for (const chunk of numbered(3)) stream.push(chunk);
    expect(channel.starts).toEqual([{ conversationId: 'call-1', sampleRate: RATE, mode: 'push-to-talk' }]);
    expect(channel.sent).toEqual([
      { index: 0, samples: CHUNK, first: 1 },
      { index: 1, samples: CHUNK, first: 2 },
      { index: 2, samples: CHUNK, first: 3 },
    ]);
  });

  it('never has more than two seconds and one piece under way', async () => {
    channel.isHolding = true;
    const stream = uplink();
    for (const chunk of numbered(500)) stream.push(chunk);
    expect(channel.seconds).toBeGreaterThanOrEqual(2);
    expect(channel.seconds).toBeLessThan(3);
    const before = channel.sent.length;
    await channel.acknowledge(ok, before);
    expect(channel.sent.length).toBeGreaterThan(before);
    expect(channel.sent.at(-1)?.samples).toBe(20 * CHUNK);
    expect(channel.sent.map(({ index }) => index)).toEqual(channel.sent.map((_, index) => index));
  });

  it('answers what was understood once everything has been taken', async () => {
    channel.isHolding = true;
    const stream = uplink();
    for (const chunk of numbered(7)) stream.push(chunk);
    const understood = stream.end(patience());
    await settle();
    expect(channel.ends).toEqual([]);
    for (let taken = 0; taken < 7; taken++) await channel.acknowledge();
    expect(await understood).toBe('hello');
    expect(channel.ends).toEqual([{ conversationId: 'call-1' }]);
  });

  it('brings what had been recorded before it began', async () => {
    const stream = uplink('push-to-talk', { backlog: numbered(50) });
    stream.push(chunkOfSound(CHUNK).fill(51));
    await settle();
    expect(channel.seconds).toBeCloseTo((51 * CHUNK) / RATE);
    expect(channel.sent[0]?.first).toBe(1);
  });

  it('sends the same piece again where the server asks for patience, and nothing overtakes it', async () => {
    channel.isHolding = true;
    uplink('push-to-talk', { backlog: numbered(700) });
    while (channel.seconds < 16) await channel.acknowledge();
    // Chunks in transit are accepted; from then on, one is sent at a time.
    await channel.acknowledge(ok, 5);
    const last = channel.sent.at(-1);
    const count = channel.sent.length;
    await channel.acknowledge(tooFast);
    expect(channel.sent).toHaveLength(count);
    await vi.advanceTimersByTimeAsync(500);
    expect(channel.sent).toHaveLength(count + 1);
    expect(channel.sent.at(-1)).toEqual(last);
    expect(told).toEqual([]);
  });
});

describe('refusals', () => {
  it('are told once, in the words of the server', async () => {
    channel.startAck = async () => refusal('The ears are still being fetched.');
    const stream = uplink();
    stream.push(chunkOfSound(CHUNK));
    await settle();
    stream.push(chunkOfSound(CHUNK));
    expect(told).toEqual(['The ears are still being fetched.']);
    expect(channel.sent).toHaveLength(1);
    expect(await stream.end(patience())).toBeNull();
  });

  it('of a server that never answers come after some attempts', async () => {
    channel.startAck = async () => Promise.reject(new Error('timeout'));
    uplink();
    await settle();
    expect(channel.starts).toHaveLength(3);
    expect(told).toEqual(['The server does not answer. Please try again.']);
  });

  it('do not come while the channel is away: it begins when that is back', async () => {
    const stream = uplink('push-to-talk', { isOnline: false });
    stream.push(chunkOfSound(CHUNK));
    await settle();
    expect(channel.starts).toEqual([]);
    stream.channelBack();
    await settle();
    expect(channel.starts).toHaveLength(1);
    expect(channel.sent).toHaveLength(1);
  });
});

describe('a channel that was lost', () => {
  it('gets all of a push to talk again', async () => {
    const stream = uplink();
    for (const chunk of numbered(40)) stream.push(chunk);
    await settle();
    stream.channelLost();
    for (const chunk of numbered(10, 41)) stream.push(chunk);
    stream.channelBack();
    await settle();
    expect(channel.starts).toHaveLength(2);
    expect(channel.seconds).toBeCloseTo((50 * CHUNK) / RATE);
    expect(channel.sent[0]).toMatchObject({ index: 0, first: 1 });
    expect(await stream.end(patience())).toBe('hello');
  });

  it('is waited for at the end, and answers then', async () => {
    channel.isHolding = true;
    const stream = uplink();
    stream.push(chunkOfSound(CHUNK));
    const understood = stream.end(patience());
    stream.channelLost();
    await channel.lose();
    channel.isHolding = false;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(channel.ends).toEqual([]);
    stream.channelBack();
    await vi.advanceTimersByTimeAsync(200);
    expect(await understood).toBe('hello');
  });

  it('is not waited for for ever', async () => {
    const stream = uplink();
    stream.push(chunkOfSound(CHUNK));
    stream.channelLost();
    const givenUp = new AbortController();
    const understood = stream.end(givenUp.signal);
    await vi.advanceTimersByTimeAsync(5_000);
    givenUp.abort();
    await vi.advanceTimersByTimeAsync(200);
    expect(await understood).toBeNull();
  });

  it('gets again what was being said hands-free, from before it was noticed', async () => {
    const stream = uplink('hands-free');
    for (const chunk of numbered(200)) stream.push(chunk);
    await settle();
    stream.speechBegan();
    for (const chunk of numbered(100, 201)) stream.push(chunk);
    await settle();
    stream.channelLost();
    for (const chunk of numbered(20, 301)) stream.push(chunk);
    stream.channelBack();
    await settle();
    const first = channel.sent[0]?.first ?? 0;
    expect(first).toBeGreaterThan(200 - 80);
    expect(first).toBeLessThan(200 - 30);
    expect(channel.seconds).toBeCloseTo(((320 - first + 1) * CHUNK) / RATE);
  });

  it('does not get again what has become a message', async () => {
    const stream = uplink('hands-free');
    stream.speechBegan();
    for (const chunk of numbered(100)) stream.push(chunk);
    await settle();
    stream.understood();
    stream.channelLost();
    for (const chunk of numbered(5, 101)) stream.push(chunk);
    stream.channelBack();
    await settle();
    expect(channel.sent[0]?.first).toBe(101);
  });

  it('gets again hands-free what was understood and never became a message, with what followed', async () => {
    const stream = uplink('hands-free');
    stream.speechBegan();
    for (const chunk of numbered(100)) stream.push(chunk);
    await settle();
    stream.understoodWhole();
    stream.speechBegan();
    for (const chunk of numbered(5, 101)) stream.push(chunk);
    stream.understoodWhole();
    for (const chunk of numbered(5, 106)) stream.push(chunk);
    // The first is stored, the second not.
    stream.understood();
    stream.channelLost();
    stream.channelBack();
    await settle();
    expect([channel.sent[0]?.first, channel.seconds]).toEqual([101, (10 * CHUNK) / RATE]);
  });

  it('does not keep for ever what follows a message and was nothing', async () => {
    const stream = uplink('hands-free');
    stream.speechBegan();
    for (const chunk of numbered(100)) stream.push(chunk);
    await settle();
    stream.understoodWhole();
    stream.speechBegan();
    stream.wasNothing();
    stream.understood();
    for (const chunk of numbered(200, 101)) stream.push(chunk);
    await settle();
    stream.channelLost();
    stream.channelBack();
    await settle();
    expect(channel.sent[0]?.first).toBeGreaterThan(300 - 80);
  });
});

describe('memory', () => {
  it('does not grow while somebody speaks on and on', async () => {
    const stream = uplink('hands-free');
    stream.speechBegan();
    for (let second = 0; second < 90; second++) {
      for (const chunk of numbered(20, second)) stream.push(chunk);
      await vi.advanceTimersByTimeAsync(960);
    }
    stream.channelLost();
    stream.channelBack();
    await settle();
    expect(channel.seconds).toBeLessThan(31);
    expect(told).toEqual([]);
  });

  it('keeps half a minute while the channel is away, and says that more is lost', async () => {
    const stream = uplink('hands-free');
    stream.channelLost();
    for (const chunk of numbered(1_000)) stream.push(chunk);
    expect(told).toEqual(['dropped']);
    channel.isHolding = false;
    stream.channelBack();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(channel.seconds).toBeLessThan(31);
  });
});

it('tells the server that what was said is discarded, and sends nothing more', async () => {
  const stream = uplink();
  stream.push(chunkOfSound(CHUNK));
  stream.discard();
  stream.push(chunkOfSound(CHUNK));
  await settle();
  expect(channel.ends).toEqual([{ conversationId: 'call-1', discard: true }]);
  expect(channel.sent).toHaveLength(1);
});
