import type { FastifyInstance } from 'fastify';

/**
 * Reads and discards the rest of a body after its request was refused. If the connection were closed or no
 * longer read while the client sends, the client would see a broken or hanging connection and never the
 * reason. The timeout for a whole request limits the duration.
 */
export function readWhatIsLeft(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    if (raw.complete) return payload;
    reply.removeHeader('connection');
    raw.unpipe();
    raw.resume();
    // A connection that closes after its answer would close before the client has sent everything.
    if (!reply.raw.shouldKeepAlive) await new Promise((resolve) => raw.once('close', resolve));
    return payload;
  });
}
