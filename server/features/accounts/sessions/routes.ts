import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listedSessionSchema, passwordProofSchema } from '#shared/accounts';
import type { AccountsService } from '../service.ts';
import type { Caller, SessionsService } from './service.ts';

/** `/api/auth/sessions` and sign-out: lists and ends a user's sessions. */
export const sessionsRoutes =
  (sessions: SessionsService, accounts: AccountsService): FastifyPluginAsyncZod =>
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
          body: passwordProofSchema.partial().nullish(),
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await accounts.signOutEverywhere(request.session, request.body?.password ?? null, callerOf(request));
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
          // Any string: a malformed id is answered like a missing one.
          params: z.object({ id: z.string() }),
          body: passwordProofSchema.partial().nullish(),
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        const { params, body, session } = request;
        await accounts.endSession(session, params.id, body?.password ?? null, callerOf(request));
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

export const callerOf = ({ address, bearer, headers }: FastifyRequest): Caller => ({
  address,
  token: bearer,
  userAgent: headers['user-agent'] ?? null,
});
