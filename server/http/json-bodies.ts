import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidInput, invalidJson } from '#server/lib/errors';
import { JsonLook, MAX_JSON_DEPTH } from '#server/lib/json-bounds';
import { type LimiterFactory, take } from '#server/lib/rate-limits';
import { isStorable } from '#server/lib/storable';
import { createJsonReader } from './json-thread.ts';

/** A thousand texts with titles, or the pages of ten sitemaps, are far below these limits. */
const BOUNDS = { depth: MAX_JSON_DEPTH, values: 50_000 };
/**
 * Bytes per account and per address within a minute. The most that our page sends is company information that
 * is checked while it is typed: half a megabyte a second at worst.
 */
const PER_MINUTE = { account: 60_000_000, address: 240_000_000 };
const WINDOW_S = 60;

/**
 * Accepts only JSON bodies; an empty one counts as none, since some clients send the content type anyway.
 * Bytes are counted before reading, or before parsing if the length is not stated, and the structure is
 * checked while they arrive. So only few long texts remain to be parsed, very long ones in a thread. Texts to
 * be stored must be storable in the database.
 * @param limiter counters; null: nothing is counted
 */
export function acceptJson(app: FastifyInstance, limiter: LimiterFactory | null): void {
  const counter = (of: keyof typeof PER_MINUTE) =>
    limiter?.(`json-${of}`, { count: PER_MINUTE[of], windowS: WINDOW_S, here: true });
  const byAccount = counter('account');
  const byAddress = counter('address');
  const doubtful = new WeakSet<FastifyRequest>();

  async function count(request: FastifyRequest, bytes: number): Promise<void> {
    if (byAddress) await take(byAddress, request.address, bytes);
    if (byAccount && request.isSignedIn) await take(byAccount, request.account, bytes);
  }

  app.addHook('preParsing', async (request, _reply, payload) => {
    if (BODYLESS.has(request.method) || !JSON_TYPE.test(request.headers['content-type'] ?? ''))
      return payload;
    const said = Number(request.headers['content-length']);
    if (said > 0) await count(request, said);
    const look = new JsonLook(BOUNDS);
    const body = Object.assign(
      new Transform({
        transform(piece: Uint8Array, _encoding, pass) {
          body.receivedEncodedLength += piece.byteLength;
          const tooMuch = look.add(piece);
          pass(tooMuch === null ? null : invalidJson(tooMuch), piece);
        },
        flush(pass) {
          if (said > 0) pass();
          else count(request, body.receivedEncodedLength).then(() => pass(), pass);
        },
      }),
      { receivedEncodedLength: 0 },
    );
    payload.once('error', (error) => body.destroy(error));
    return payload.pipe(body);
  });

  const reader = createJsonReader();
  app.addHook('onClose', () => reader.close());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readBody);
  async function readBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
    if (body.length === 0) return undefined;
    const read = await reader.read(body);
    if (!read) throw invalidJson();
    if (read.isDoubtful) doubtful.add(request);
    return read.value;
  }

  // After the schemas: some repair pasted text, some have their own error for it.
  app.addHook('preHandler', async (request) => {
    if (doubtful.has(request) && !isStorable(request.body)) throw invalidInput('common.not-storable');
  });
}

const BODYLESS = new Set(['GET', 'HEAD']);
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
