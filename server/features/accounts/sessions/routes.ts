import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listedSessionSchema } from '#shared/accounts';
import type { Caller, SessionsService } from './service.ts';

/** `/api/auth/sessions` and sign-out: from where somebody is signed in, and the ends of it. */
export const sessionsRoutes =
  (sessions: SessionsService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Accounts'];
    const ends =
      'What it opened ends with it, within seconds: its sockets, its live rooms, and links to recordings.';

    app.get(
      '/api/auth/sessions',
      {
        schema: {
          tags,
          summary: 'From where the user is signed in, the last used session first',
          response: { 200: z.array(listedSessionSchema) },
        },
      },
      (request) => sessions.list(request.session),
    );

    app.delete(
      '/api/auth/sessions',
      {
        schema: {
          tags,
          summary: 'Sign out everywhere, here too',
          description: ends,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await sessions.signOutEverywhere(request.session, callerOf(request));
        return reply.code(204).send();
      },
    );

    app.delete(
      '/api/auth/sessions/:id',
      {
        schema: {
          tags,
          summary: 'End one session',
          description: ends,
          // Any string: a malformed id is answered like one that does not exist.
          params: z.object({ id: z.string() }),
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await sessions.end(request.session, request.params.id, callerOf(request));
        return reply.code(204).send();
      },
    );

    app.post(
      '/api/auth/logout',
      {
        config: { beforeSecondFactor: true },
        schema: {
          tags,
          summary: 'Sign out: end this session',
          description: ends,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await sessions.signOut(request.session, callerOf(request));
        return reply.code(204).send();
      },
    );
  };

export const callerOf = ({ address, headers }: FastifyRequest): Caller => ({
  address,
  userAgent: headers['user-agent'] ?? null,
});
