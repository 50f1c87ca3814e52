import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addressBytes, bindingSuccess, isStun, readBindingRequest } from './stun.ts';

/** The request of RFC 5769, 2.1: `evtj:h6vY`, signed with `VOkJxbRl1RmTxUk/WvJxBt`. */
const sample = Buffer.from(
  '000100582112a442b7e7a701bc34d686fa87dfae' +
    '802200105354554e207465737420636c69656e74' +
    '002400046e0001ff' +
    '80290008932ff9b151263b36' +
    '00060009 6576746a3a68367659202020'.replace(' ', '') +
    '000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2' +
    '80280004e57a3bcf',
  'hex',
);
const password = 'VOkJxbRl1RmTxUk/WvJxBt';

describe('a binding request', () => {
  it('is read and its signature checked, as in the examples of RFC 5769', () => {
    expect(isStun(sample)).toBe(true);
    const request = readBindingRequest(sample);
    expect(request?.localFragment).toBe('evtj');
    expect(request?.nominates).toBe(false);
    expect(request?.isSignedWith(password)).toBe(true);
    expect(request?.isSignedWith('another')).toBe(false);
  });

  it('is none when anything about it is wrong', () => {
    for (let length = 0; length < sample.length; length++)
      expect(readBindingRequest(sample.subarray(0, length))).toBeNull();
    const changed = Buffer.from(sample);
    changed[40] = 0xff;
    expect(readBindingRequest(changed)?.isSignedWith(password) ?? false).toBe(false);
    const answer = Buffer.from(sample);
    answer[0] = 1;
    expect(readBindingRequest(answer)).toBeNull();
  });

  it('is answered with where it came from, signed and with a fingerprint', () => {
    const request = readBindingRequest(sample);
    if (!request) throw new Error('The sample is a request.');
    const answer = bindingSuccess(request, { address: '192.0.2.1', port: 32_853 }, password);
    expect(answer.readUInt16BE(0)).toBe(0x0101);
    expect(answer.readUInt16BE(2)).toBe(answer.length - 20);
    // The mapped address of RFC 5769, 2.2.
    expect(answer.subarray(20, 32).toString('hex')).toBe('002000080001a147e112a643');
    const signed = Buffer.from(answer.subarray(0, 32));
    signed.writeUInt16BE(32 - 20 + 24, 2);
    expect(answer.subarray(36, 56)).toEqual(createHmac('sha1', password).update(signed).digest());
    expect(answer.readUInt32BE(60)).toBe((crc32(answer.subarray(0, 56)) ^ 0x5354554e) >>> 0);
  });

  it('knows addresses of both families', () => {
    expect(addressBytes('10.1.2.3')).toEqual([10, 1, 2, 3]);
    expect(Buffer.from(addressBytes('2001:db8::1')).toString('hex')).toBe('20010db8000000000000000000000001');
    expect(Buffer.from(addressBytes('::ffff:10.1.2.3')).toString('hex')).toBe(
      '00000000000000000000ffff0a010203',
    );
    expect(Buffer.from(addressBytes('fe80::1%eth0')).toString('hex')).toBe(
      'fe800000000000000000000000000001',
    );
  });
});
