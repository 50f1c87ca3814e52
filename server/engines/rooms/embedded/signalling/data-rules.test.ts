import { DataPacket } from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { DataBudgets } from './data-budgets.ts';
import { OpenStreams } from './data-rules.ts';

const header = (streamId: string) =>
  new DataPacket({ value: { case: 'streamHeader', value: { streamId, topic: 'words' } as never } });
const chunk = (streamId: string) =>
  new DataPacket({ value: { case: 'streamChunk', value: { streamId } as never } });
const trailer = (streamId: string) =>
  new DataPacket({ value: { case: 'streamTrailer', value: { streamId } as never } });

describe('the streams of a room', () => {
  it('lets nobody add to, end or begin anew what another is saying', () => {
    const streams = new OpenStreams<string>();
    expect(streams.follow('agent', header('1'))).toBe(true);
    for (const packet of [header('1'), chunk('1'), trailer('1')])
      expect(streams.follow('eve', packet)).toBe(false);
    expect(streams.follow('agent', chunk('1'))).toBe(true);
    expect(streams.follow('agent', trailer('1'))).toBe(true);
    expect(streams.follow('agent', chunk('1'))).toBe(false);
  });

  it('takes no part of a stream that has not begun, and none of whoever has gone', () => {
    const streams = new OpenStreams<string>();
    expect(streams.follow('eve', chunk('never begun'))).toBe(false);
    streams.follow('bob', header('2'));
    streams.forget('bob');
    expect(streams.follow('bob', chunk('2'))).toBe(false);
    expect(streams.follow('eve', header('2'))).toBe(true);
  });

  it('keeps a bounded number of them for one sender, and gives up the oldest', () => {
    const streams = new OpenStreams<string>();
    for (let n = 0; n < 100; n++) streams.follow('eve', header(`${n}`));
    expect(streams.follow('eve', chunk('0'))).toBe(false);
    expect(streams.follow('eve', chunk('99'))).toBe(true);
    expect(streams.follow('eve', header('x'.repeat(1_000)))).toBe(false);
  });
});

describe('what one may send as data', () => {
  it('is counted in messages and in bytes, for each kind by itself', () => {
    const budgets = new DataBudgets();
    const pass = (packet: DataPacket, bytes: number, times: number) =>
      Array.from({ length: times }, () => budgets.take(packet.value, bytes)).filter(Boolean).length;
    expect(pass(header('1'), 60_000, 200)).toBeLessThan(100);
    const call = new DataPacket({ value: { case: 'rpcAck', value: { requestId: '1' } as never } });
    expect(pass(call, 40, 5_000)).toBeLessThan(1_000);
    const words = new DataPacket({ value: { case: 'user', value: { payload: new Uint8Array(1) } as never } });
    expect(pass(words, 40, 100)).toBe(100);
  });
});
