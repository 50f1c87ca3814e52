import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidInput, invalidJson } from '#server/lib/errors';
import { JsonLook, MAX_JSON_DEPTH } from '#server/lib/json-bounds';
import { type LimiterFactory, take } from '#server/lib/rate-limits';
import { isStorable, NOT_STORABLE } from '#server/lib/storable';
import { createJsonReader } from './json-thread.ts';

/** A thousand texts with their titles, and the pages of ten sitemaps, are far below that. */
const BOUNDS = { depth: MAX_JSON_DEPTH, values: 50_000 };
/**
 * What one account, and one address, may send within a minute, in bytes. Company information that is read while somebody
 * writes it is the most that a page of ours sends: half a megabyte a second at worst.
 */
const PER_MINUTE = { account: 60_000_000, address: 240_000_000 };
const WINDOW_S = 60;

/**
 * JSON is the only body, and an empty one is none: some clients send the content type all the same. Its bytes are counted
 * before they are read, or parsed where nobody said how many they are, and looked at while they come, so that what is left
 * to parse is a few long texts, in a thread where they are very long. Of what is to be stored each text must be one that
 * a database holds.
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
    if (byAccount && request.isSignedIn) await take(byAccount, request.user._id, bytes);
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

  // After the schemas: some mend what people paste, some have a sentence of their own for it.
  app.addHook('preHandler', async (request) => {
    if (doubtful.has(request) && !isStorable(request.body)) throw invalidInput(NOT_STORABLE);
  });
}

const BODYLESS = new Set(['GET', 'HEAD']);
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
