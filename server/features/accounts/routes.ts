import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  credentialsSchema,
  passwordChangeSchema,
  registrationSchema,
  signedInSchema,
  userSchema,
} from '#shared/accounts';
import type { AccountsService } from './service.ts';
import type { Caller } from './sessions/service.ts';

/** `/api/auth`: register, login, the signed-in user, their password. */
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
      async (request, reply) =>
        reply.code(201).send(await accounts.register(request.body, callerOf(request))),
    );

    app.post(
      '/api/auth/login',
      {
        config: { public: true },
        schema: { tags, summary: 'Sign in', body: credentialsSchema, response: { 200: signedInSchema } },
      },
      (request) => accounts.login(request.body, callerOf(request)),
    );

    app.get(
      '/api/auth/me',
      { schema: { tags, summary: 'The signed-in user', response: { 200: userSchema } } },
      async (request) => request.user,
    );

    app.put(
      '/api/auth/password',
      {
        schema: {
          tags,
          summary: 'Change the password; every other session of the user ends',
          body: passwordChangeSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await accounts.changePassword(request.session, request.body, callerOf(request));
        return reply.code(204).send();
      },
    );
  };

const callerOf = ({ address, headers }: FastifyRequest): Caller => ({
  address,
  userAgent: headers['user-agent'] ?? null,
});
