import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { credentialsSchema, registrationSchema, signedInSchema, userSchema } from '#shared/accounts';
import type { AccountsService } from './service.ts';

/** `/api/auth`: register, login, the signed-in user, logout. */
export const accountsRoutes =
  (accounts: AccountsService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Accounts'];

    app.post(
      '/api/auth/register',
      {
        config: { public: true },
        schema: {
          tags,
          summary: 'Create an account',
          body: registrationSchema,
          response: { 201: signedInSchema },
        },
      },
      async (request, reply) => reply.code(201).send(await accounts.register(request.body, request.address)),
    );

    app.post(
      '/api/auth/login',
      {
        config: { public: true },
        schema: { tags, summary: 'Sign in', body: credentialsSchema, response: { 200: signedInSchema } },
      },
      (request) => accounts.login(request.body, request.address),
    );

    app.get(
      '/api/auth/me',
      { schema: { tags, summary: 'The signed-in user', response: { 200: userSchema } } },
      async (request) => request.user,
    );

    app.post(
      '/api/auth/logout',
      { schema: { tags, summary: 'Revoke the token', response: { 204: z.void() } } },
      async (request, reply) => {
        await accounts.logout(request.token);
        return reply.code(204).send();
      },
    );
  };
