import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AuditService } from '#server/features/audit/service';
import { CALLERS, contactScopeOf, key, member, sightOf } from '#server/lib/principal';
import {
  conversationDeletedSchema,
  conversationListQuerySchema,
  conversationSchema,
  listedConversationSchema,
  NEXT_CURSOR_HEADER,
} from '#shared/conversations';
import { conversationJson, conversationsJson } from './json-pieces.ts';
import type { ConversationsService } from './service.ts';

/** Any string: a malformed id is answered like a missing one. */
const paramsSchema = z.object({ id: z.string() });

/** `/api/conversations`: list, one, delete, end. */
export const conversationsRoutes =
  (conversations: ConversationsService, audit: AuditService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Conversations'];

    app.get(
      '/api/conversations',
      {
        config: { serves: [member(), key('conversations:read')] },
        schema: {
          tags,
          summary: 'Conversations, newest first',
          description: `The caller's own; with \`of=workspace\` everybody's in the workspace, for its owners and supervisors; a member adds \`assignedTo\` with their own id and has those that are theirs to do. \`view=summary\` leaves the messages out; with them, a page ends before its \`limit\` where it would hold more than about 1,000. When there are more conversations, the header \`${NEXT_CURSOR_HEADER}\` holds the \`cursor\` of the next page. \`q\` finds words in titles and messages, the last one also by its beginning; \`sentiment\` and \`outcome\` may come several times.`,
          querystring: conversationListQuerySchema,
          response: { 200: z.array(listedConversationSchema) },
        },
      },
      async (request, reply) => {
        const { principal, query } = request;
        const isOfWorkspace = query.of === 'workspace' || principal.kind === 'key';
        const page = isOfWorkspace
          ? await conversations.listOfWorkspace(sightOf(principal), query)
          : await conversations.list(contactScopeOf(principal), query);
        if (page.nextCursor) reply.header(NEXT_CURSOR_HEADER, page.nextCursor);
        return sendJson(reply, conversationsJson(page.conversations));
      },
    );

    app.get(
      '/api/conversations/:id',
      {
        config: { serves: [member(), key('conversations:read')] },
        schema: {
          tags,
          summary: 'A conversation with its messages',
          params: paramsSchema,
          response: { 200: conversationSchema },
        },
      },
      async (request, reply) =>
        sendJson(
          reply,
          conversationJson(await conversations.see(sightOf(request.principal), request.params.id)),
        ),
    );

    app.delete(
      '/api/conversations/:id',
      {
        schema: {
          tags,
          summary: 'Delete a conversation; a call in it ends',
          params: paramsSchema,
          response: { 200: conversationDeletedSchema },
        },
      },
      async (request) => {
        const { principal, user, address, params } = request;
        await conversations.delete(contactScopeOf(principal), params.id);
        const actor = { id: user._id, email: user.email };
        await audit.record({ action: 'conversation-deleted', actor, address, subject: params.id });
        return { message: 'The conversation was deleted.' };
      },
    );

    app.put(
      '/api/conversations/:id/end',
      {
        config: { serves: CALLERS },
        schema: {
          tags,
          summary:
            'End a conversation; ending it again changes nothing. One without a word of the customer is not kept',
          params: paramsSchema,
          response: { 200: conversationSchema },
        },
      },
      async (request, reply) =>
        sendJson(
          reply,
          conversationJson(await conversations.end(contactScopeOf(request.principal), request.params.id)),
        ),
    );
  };

const sendJson = (reply: FastifyReply, pieces: AsyncIterable<string>): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(Readable.from(pieces, { objectMode: false }));
