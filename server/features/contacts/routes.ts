import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { key, member, scopeOf, sightOf } from '#server/lib/principal';
import { contactListQuerySchema, contactWithConversationsSchema } from '#shared/contacts';
import { knownContactSchema, NEXT_CURSOR_HEADER } from '#shared/conversations';
import type { ContactsService } from './service.ts';

/** Any string: a malformed id is answered like a missing one. */
const paramsSchema = z.object({ id: z.string() });

/** `/api/contacts`: the contacts of a workspace. For owners and supervisors. */
export const contactsRoutes =
  (contacts: ContactsService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Contacts'];
    const config = { serves: [member('supervisor')] };

    app.get(
      '/api/contacts',
      {
        config: { serves: [member('supervisor'), key('contacts:read')] },
        schema: {
          tags,
          summary: 'Whom the workspace serves, the newest first',
          description: `\`q\` finds parts of names, addresses, numbers and external ids. When there are more, the header \`${NEXT_CURSOR_HEADER}\` holds the \`cursor\` of the next page.`,
          querystring: contactListQuerySchema,
          response: { 200: z.array(knownContactSchema) },
        },
      },
      async (request, reply) => {
        const page = await contacts.list(scopeOf(request.principal), request.query);
        if (page.nextCursor) reply.header(NEXT_CURSOR_HEADER, page.nextCursor);
        return page.contacts;
      },
    );

    app.get(
      '/api/contacts/:id',
      {
        config: { serves: [member('supervisor'), key('contacts:read')] },
        schema: {
          tags,
          summary: 'A contact, with their newest conversations',
          params: paramsSchema,
          response: { 200: contactWithConversationsSchema },
        },
      },
      (request) => contacts.get(sightOf(request.principal), request.params.id),
    );

    app.delete(
      '/api/contacts/:id',
      {
        config,
        schema: {
          tags,
          summary: 'Erase a contact, and all that they said',
          params: paramsSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await contacts.erase(request.user, request.params.id, request.address);
        return reply.code(204).send();
      },
    );
  };
