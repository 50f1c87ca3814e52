import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  providerAnswerSchema,
  providerVisitSchema,
  signedInSchema,
  ticketSchema,
  ticketUseSchema,
} from '#shared/accounts';
import { callerOf } from '../sessions/routes.ts';
import type { FederationService } from './service.ts';

/** `/api/auth/oidc`: sign-in at the installation's identity provider. */
export const federationRoutes =
  (federation: FederationService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Accounts'];
    const config = { public: true };

    app.post(
      '/api/auth/oidc',
      {
        config,
        schema: {
          tags,
          summary: 'Begin a sign-in at the identity provider',
          description:
            'The browser goes to `address` and keeps `attempt` to itself: it is asked for when the browser is back.',
          response: { 200: providerVisitSchema },
        },
      },
      (request) => federation.begin(callerOf(request)),
    );

    app.post(
      '/api/auth/oidc/back',
      {
        config,
        schema: {
          tags,
          summary: 'Come back from the identity provider',
          description: '`answer` is the query with which the provider sent the browser back.',
          body: providerAnswerSchema,
          response: { 200: ticketSchema },
        },
      },
      (request) => federation.finish(request.body, callerOf(request)),
    );

    app.post(
      '/api/auth/oidc/sign-in',
      {
        config,
        schema: {
          tags,
          summary: 'Sign in with what coming back has brought',
          body: ticketUseSchema,
          response: { 200: signedInSchema },
        },
      },
      (request) => federation.signIn(request.body, callerOf(request)),
    );
  };
