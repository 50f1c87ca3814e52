import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AuditService } from '#server/features/audit/service';
import { forSupervisors } from '#server/lib/errors';
import { everybodyIn, scopeOf } from '#server/lib/scope';
import {
  conversationDeletedSchema,
  conversationListQuerySchema,
  conversationSchema,
  listedConversationSchema,
  NEXT_CURSOR_HEADER,
} from '#shared/conversations';
import { conversationJson, conversationsJson } from './json-pieces.ts';
import type { ConversationsService } from './service.ts';

/** Any string: a malformed id is answered like one that does not exist. */
const paramsSchema = z.object({ id: z.string() });

/** `/api/conversations`: list, one, delete, end. */
export const conversationsRoutes =
  (conversations: ConversationsService, audit: AuditService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Conversations'];

    app.get(
      '/api/conversations',
      {
        schema: {
          tags,
          summary: 'Conversations, newest first',
          description: `The caller's own; with \`of=workspace\` everybody's in the workspace, for its owners and supervisors. \`view=summary\` leaves the messages out; with them, a page ends before its \`limit\` where it would hold more than about 1,000. When there are more conversations, the header \`${NEXT_CURSOR_HEADER}\` holds the \`cursor\` of the next page. \`q\` finds words in titles and messages, the last one also by its beginning; \`sentiment\` and \`outcome\` may come several times.`,
          querystring: conversationListQuerySchema,
          response: { 200: z.array(listedConversationSchema) },
        },
      },
      async (request, reply) => {
        const { user, query } = request;
        if (query.of === 'workspace' && user.role === 'member') throw forSupervisors();
        const page =
          query.of === 'workspace'
            ? await conversations.listOfWorkspace(everybodyIn(user), query)
            : await conversations.list(scopeOf(user), query);
        if (page.nextCursor) reply.header(NEXT_CURSOR_HEADER, page.nextCursor);
        return sendJson(reply, conversationsJson(page.conversations));
      },
    );

    app.get(
      '/api/conversations/:id',
      {
        schema: {
          tags,
          summary: 'A conversation with its messages',
          params: paramsSchema,
          response: { 200: conversationSchema },
        },
      },
      async (request, reply) =>
        sendJson(reply, conversationJson(await conversations.see(request.user, request.params.id))),
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
        const { user, address, params } = request;
        await conversations.delete(scopeOf(user), params.id);
        const actor = { id: user._id, email: user.email };
        await audit.record({ action: 'conversation-deleted', actor, address, subject: params.id });
        return { message: 'The conversation was deleted.' };
      },
    );

    app.put(
      '/api/conversations/:id/end',
      {
        schema: {
          tags,
          summary:
            'End a conversation; ending it again changes nothing. One without a word of the customer is not kept',
          params: paramsSchema,
          response: { 200: conversationSchema },
        },
      },
      async (request, reply) =>
        sendJson(reply, conversationJson(await conversations.end(scopeOf(request.user), request.params.id))),
    );
  };

const sendJson = (reply: FastifyReply, pieces: AsyncIterable<string>): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(Readable.from(pieces, { objectMode: false }));
