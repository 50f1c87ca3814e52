/** The part of PostgreSQL's wire protocol (version 3) needed between the driver and the embedded backend. */

const HEADER = 5;

/**
 * Cuts a driver's byte stream into exchanges: everything up to and including a Query or a Sync, after which
 * the backend reports that it is ready. Whole exchanges keep one session's unnamed statement apart from
 * another's.
 */
export function createExchangeReader(): { push(bytes: Uint8Array): FrontendEvent[] } {
  let buffer: Buffer = Buffer.alloc(0);
  let scanned = 0;
  let started = false;

  return {
    push(bytes) {
      buffer = buffer.length === 0 ? Buffer.from(bytes) : Buffer.concat([buffer, bytes]);
      const events: FrontendEvent[] = [];
      if (!started) {
        if (buffer.length < 4 || buffer.length < buffer.readInt32BE(0)) return events;
        buffer = buffer.subarray(buffer.readInt32BE(0));
        started = true;
        events.push({ kind: 'startup' });
      }
      while (buffer.length >= scanned + HEADER) {
        const type = String.fromCharCode(buffer[scanned] ?? 0);
        const end = scanned + 1 + buffer.readInt32BE(scanned + 1);
        if (buffer.length < end) break;
        scanned = end;
        if (type === 'X') {
          events.push({ kind: 'terminate' });
        } else if (type !== 'Q' && type !== 'S') {
          continue;
        } else {
          events.push({ kind: 'exchange', bytes: new Uint8Array(buffer.subarray(0, end)) });
        }
        buffer = buffer.subarray(end);
        scanned = 0;
      }
      return events;
    },
  };
}

type FrontendEvent = { kind: 'startup' } | { kind: 'exchange'; bytes: Uint8Array } | { kind: 'terminate' };

/** A server's messages after a successful login: authenticated, parameters, ready. */
export function welcome(parameters: Record<string, string>): Buffer {
  return Buffer.concat([
    message('R', int32(0)),
    ...Object.entries(parameters).map(([name, value]) => message('S', text(name), text(value))),
    message('Z', Buffer.from('I')),
  ]);
}

const ERROR = 'E'.charCodeAt(0);
const CODE = 'C'.charCodeAt(0);

/**
 * Replaces one error code (SQLSTATE, five characters) by another, in place. @param answer whole messages of a
 * server
 */
export function recode(answer: Uint8Array, from: string, to: string): void {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  for (let at = 0; at + HEADER <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] !== ERROR) continue;
    // Each field is a letter and a zero-terminated text; a zero byte ends the list.
    for (let field = at + HEADER; bytes[field]; field = bytes.indexOf(0, field) + 1)
      if (bytes[field] === CODE && bytes.toString('latin1', field + 1, field + 6) === from)
        bytes.write(to, field + 1, 'latin1');
  }
}

/** A Query message: SQL without parameters. */
export const query = (sql: string): Uint8Array => new Uint8Array(message('Q', text(sql)));

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`);
