import { describe, expect, it } from 'vitest';
import { createExchangeReader, query, recode, welcome } from './wire-messages.ts';

const startup = Buffer.from('00000008000300 00'.replaceAll(' ', ''), 'hex');
const message = (type: string, body = '') => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const parse = message('P', 'select $1');
const bind = message('B', 'x'.repeat(1_000));
const sync = message('S');

describe('createExchangeReader', () => {
  it('makes one exchange of everything up to a Sync', () => {
    const reader = createExchangeReader();
    expect(reader.push(startup)).toEqual([{ kind: 'startup' }]);
    const bytes = Buffer.concat([parse, bind, sync]);
    expect(reader.push(bytes)).toEqual([{ kind: 'exchange', bytes: new Uint8Array(bytes) }]);
  });

  it('finds the same exchanges however the bytes are cut', () => {
    const stream = Buffer.concat([startup, parse, bind, sync, query('select 1'), parse, sync, message('X')]);
    const whole = createExchangeReader().push(stream);
    expect(whole.map(({ kind }) => kind)).toEqual([
      'startup',
      'exchange',
      'exchange',
      'exchange',
      'terminate',
    ]);
    for (const size of [1, 2, 7, 100, 1_001]) {
      const reader = createExchangeReader();
      const events = [];
      for (let at = 0; at < stream.length; at += size)
        events.push(...reader.push(stream.subarray(at, at + size)));
      expect(events).toEqual(whole);
    }
  });

  it('waits for the rest', () => {
    const reader = createExchangeReader();
    reader.push(startup);
    expect(reader.push(Buffer.concat([parse, bind]))).toEqual([]);
    expect(reader.push(sync.subarray(0, 3))).toEqual([]);
    expect(reader.push(sync.subarray(3))).toHaveLength(1);
  });
});

it('gives errors of one code another one, and nothing else', () => {
  const error = (code: string) => message('E', `SERROR\0C${code}\0MC25006 is C25006\0\0`);
  const answer = (...codes: string[]) =>
    Buffer.concat([message('D', 'C25006\0'), ...codes.map(error), message('Z', 'I')]);
  const bytes = answer('25006', '42P01', '25006');
  recode(bytes, '25006', '53100');
  expect(bytes).toEqual(answer('53100', '42P01', '53100'));
});

it('welcomes a client: authenticated, parameters, ready', () => {
  expect(welcome({ a: 'b' }).toString('latin1')).toBe('R\0\0\0\x08\0\0\0\0S\0\0\0\x08a\0b\0Z\0\0\0\x05I');
});
