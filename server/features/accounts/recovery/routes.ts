import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { passwordResetRequestSchema, passwordResetSchema } from '#shared/accounts';
import { callerOf } from '../sessions/routes.ts';
import type { RecoveryService } from './service.ts';

/** `/api/auth/password-reset`: a new password by e-mail. */
export const recoveryRoutes =
  (recovery: RecoveryService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Accounts'];

    app.post(
      '/api/auth/password-reset',
      {
        config: { public: true },
        schema: {
          tags,
          summary: 'Ask for a link to a new password',
          description:
            'It is sent to the address if there is an account with it; the answer is the same if there is none. It works once, ' +
            'for half an hour.',
          body: passwordResetRequestSchema,
          response: { 202: z.object({ message: z.string() }) },
        },
      },
      async (request, reply) => {
        await recovery.ask(request.body.email, callerOf(request));
        return reply
          .code(202)
          .send({ message: 'If there is an account with this address, a link is on its way.' });
      },
    );

    app.post(
      '/api/auth/password-reset/confirm',
      {
        config: { public: true },
        schema: {
          tags,
          summary: 'Set a new password by a link; every session of the account ends',
          body: passwordResetSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await recovery.confirm(request.body, callerOf(request));
        return reply.code(204).send();
      },
    );
  };
