import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { member } from '#server/lib/principal';
import { memberChangeSchema, memberSchema } from '#shared/members';
import type { MembersService } from './service.ts';

/** Any string: a malformed id is answered like a missing one. */
const paramsSchema = z.object({ id: z.string() });

/** `/api/members`: members and their roles. For owners of a workspace; owners of the installation see all members. */
export const membersRoutes =
  (members: MembersService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Installation'];
    const config = { serves: [member('owner')] };

    app.get(
      '/api/members',
      {
        config,
        schema: {
          tags,
          summary: 'The members of the workspace, the oldest first; for owners of the installation everybody',
          response: { 200: z.array(memberSchema) },
        },
      },
      (request) => members.list(request.user),
    );

    app.put(
      '/api/members/:id',
      {
        config,
        schema: {
          tags,
          summary: 'Give somebody another role',
          params: paramsSchema,
          body: memberChangeSchema,
          response: { 200: memberSchema },
        },
      },
      (request) => members.changeRole(request.user, request.params.id, request.body.role, request.address),
    );

    app.delete(
      '/api/members/:id/sessions',
      {
        config,
        schema: {
          tags,
          summary: 'Sign somebody out everywhere',
          description: 'What their sessions opened ends with them, within seconds.',
          params: paramsSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await members.endSessions(request.user, request.params.id, request.address);
        return reply.code(204).send();
      },
    );

    app.delete(
      '/api/members/:id',
      {
        config,
        schema: {
          tags,
          summary: 'Remove somebody, with everything that is theirs',
          params: paramsSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await members.remove(request.user, request.params.id, request.address);
        return reply.code(204).send();
      },
    );
  };
