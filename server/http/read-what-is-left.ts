import type { FastifyInstance } from 'fastify';

/**
 * Reads, and throws away, what a client still sends when its request is refused already. A connection that is closed, or
 * read no further, while somebody sends breaks off or hangs there: they would never learn why they were refused. How long
 * that may take is bounded by the time for a whole request.
 */
export function readWhatIsLeft(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    if (raw.complete) return payload;
    reply.removeHeader('connection');
    raw.unpipe();
    raw.resume();
    // A connection that ends with its answer ends for what is still being sent, too.
    if (!reply.raw.shouldKeepAlive) await new Promise((resolve) => raw.once('close', resolve));
    return payload;
  });
}
