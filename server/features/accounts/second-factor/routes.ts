import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { installationOwner } from '#server/lib/principal';
import {
  passwordProofSchema,
  recoveryCodesSchema,
  secondFactorCodeSchema,
  secondFactorProposalSchema,
  secondFactorSettingSchema,
  secondFactorStateSchema,
} from '#shared/accounts';
import { callerOf } from '../sessions/routes.ts';
import type { SecondFactorService } from './service.ts';

/** `/api/auth/second-factor`: the user's own; `/api/settings/second-factor`: whether every user needs one. */
export const secondFactorRoutes =
  (secondFactor: SecondFactorService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Accounts'];
    const url = '/api/auth/second-factor';
    // A user who must set one up can do nothing else before.
    const config = { beforeSecondFactor: true };

    app.get(
      url,
      {
        config,
        schema: {
          tags,
          summary: 'Whether the user has a second factor',
          response: { 200: secondFactorStateSchema },
        },
      },
      (request) => secondFactor.state(request.session),
    );

    app.post(
      url,
      {
        config,
        schema: {
          tags,
          summary: 'Make a secret for an authenticator app',
          description:
            'It is in force once a code of it was confirmed. It is told in this answer and never again.',
          body: passwordProofSchema,
          response: { 200: secondFactorProposalSchema },
        },
      },
      (request) => secondFactor.propose(request.session, request.body.password, callerOf(request)),
    );

    app.post(
      `${url}/confirm`,
      {
        config,
        schema: {
          tags,
          summary: 'Put the second factor into force; every other session of the user ends',
          description: 'The recovery codes are told in this answer and never again. Each works once.',
          body: secondFactorCodeSchema,
          response: { 200: recoveryCodesSchema },
        },
      },
      async (request) => ({
        recoveryCodes: await secondFactor.confirm(request.session, request.body.code, callerOf(request)),
      }),
    );

    app.post(
      `${url}/recovery-codes`,
      {
        schema: {
          tags,
          summary: 'Make new recovery codes; those before work no longer',
          body: passwordProofSchema,
          response: { 200: recoveryCodesSchema },
        },
      },
      async (request) => ({
        recoveryCodes: await secondFactor.renewCodes(
          request.session,
          request.body.password,
          callerOf(request),
        ),
      }),
    );

    app.delete(
      url,
      {
        schema: {
          tags,
          summary: 'Turn the second factor off; every other session of the user ends',
          body: passwordProofSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await secondFactor.turnOff(request.session, request.body.password, callerOf(request));
        return reply.code(204).send();
      },
    );

    const installation = { tags: ['Installation'], response: { 200: secondFactorSettingSchema } };
    app.get(
      '/api/settings/second-factor',
      {
        config: { serves: [installationOwner()] },
        schema: { ...installation, summary: 'Whether everybody needs a second factor' },
      },
      async () => ({ required: await secondFactor.isRequired() }),
    );

    app.put(
      '/api/settings/second-factor',
      {
        config: { serves: [installationOwner()] },
        schema: {
          ...installation,
          summary: 'Settle whether everybody needs a second factor',
          description: 'Who has none then is signed out, and sets it up at the next sign-in.',
          body: secondFactorSettingSchema,
        },
      },
      async (request) => {
        await secondFactor.require(request.user, request.body.required, callerOf(request));
        return request.body;
      },
    );
  };
