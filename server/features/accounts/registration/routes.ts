import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { installationOwner, member } from '#server/lib/principal';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import {
  invitationRequestSchema,
  invitationSchema,
  newInvitationSchema,
  registrationSettingSchema,
} from '#shared/members';
import type { RegistrationService } from './service.ts';

/**
 * `/api/settings/registration` and `/api/invitations`: who may make an account, and in which workspace. For owners.
 * @param publicUrl the address of the page, if it differs from the address of the request
 */
export const registrationRoutes =
  (registration: RegistrationService, publicUrl: string | null): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Installation'];
    const config = { serves: [member('owner')] };
    const settings = { serves: [installationOwner()] };

    app.get(
      '/api/settings/registration',
      {
        config: settings,
        schema: { tags, summary: 'Who may make an account', response: { 200: registrationSettingSchema } },
      },
      async () => ({ mode: await registration.mode() }),
    );

    app.put(
      '/api/settings/registration',
      {
        config: settings,
        schema: {
          tags,
          summary: 'Settle who may make an account',
          body: registrationSettingSchema,
          response: { 200: registrationSettingSchema },
        },
      },
      async (request) => {
        await registration.settleMode(request.user, request.body.mode, request.address);
        return request.body;
      },
    );

    app.get(
      '/api/invitations',
      {
        config,
        schema: {
          tags,
          summary: 'Invitations that are not used yet, newest first',
          response: { 200: z.array(invitationSchema) },
        },
      },
      (request) => registration.invitations(request.user),
    );

    app.post(
      '/api/invitations',
      {
        config,
        schema: {
          tags,
          summary: 'Invite somebody by a link',
          description:
            'The link works once, for a week, for this email address. It is told in this answer and never again. ' +
            'An earlier link for the same address works no longer.',
          body: invitationRequestSchema,
          response: { 201: newInvitationSchema },
        },
      },
      async (request, reply) => {
        const pageUrl = withoutTrailingSlashes(publicUrl ?? `${request.protocol}://${request.host}`);
        const invitation = await registration.invite(request.user, request.body, pageUrl, request.address);
        return reply.code(201).send(invitation);
      },
    );

    app.delete(
      '/api/invitations/:id',
      {
        config,
        schema: {
          tags,
          summary: 'Withdraw an invitation',
          params: z.object({ id: z.string() }),
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await registration.withdraw(request.user, request.params.id, request.address);
        return reply.code(204).send();
      },
    );
  };
