import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  credentialsSchema,
  ownAccountSchema,
  passwordChangeSchema,
  passwordProofSchema,
  registrationSchema,
  type SignInOptions,
  signedInSchema,
  signInOptionsSchema,
} from '#shared/accounts';
import type { AccountsService } from './service.ts';
import { callerOf } from './sessions/routes.ts';

/**
 * `/api/auth`: register, login, the signed-in user, their password.
 * @param options the ways to sign in besides a password
 */
export const accountsRoutes =
  (accounts: AccountsService, options: SignInOptions): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Accounts'];

    app.post(
      '/api/auth/register',
      {
        config: { public: true },
        schema: {
          tags,
          summary: 'Create an account',
          description:
            'The first account owns the installation; after the last one was deleted, whoever runs the server makes the next. ' +
            'In between its registration mode decides: everybody, whom an owner sent a link ' +
            '(`invitation` is the secret in it), or nobody.',
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
      '/api/auth/options',
      {
        config: { public: true },
        schema: {
          tags,
          summary: 'How one can come in, besides by a password',
          response: { 200: signInOptionsSchema },
        },
      },
      async () => options,
    );

    app.get(
      '/api/auth/me',
      {
        config: { beforeSecondFactor: true },
        schema: {
          tags,
          summary: 'The signed-in user',
          description:
            '`tabKey` is the same for each of their sessions: a page seals with it what it keeps for them in the browser.',
          response: { 200: ownAccountSchema },
        },
      },
      async ({ user }) => ({ ...user, tabKey: accounts.tabKeyOf(user._id) }),
    );

    app.delete(
      '/api/auth/me',
      {
        schema: {
          tags,
          summary: 'Delete the account, with everything that is theirs',
          description: 'The last owner among others makes somebody else an owner first.',
          body: passwordProofSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await accounts.erase(request.session, request.body.password, callerOf(request));
        return reply.code(204).send();
      },
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
