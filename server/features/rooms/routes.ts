import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { unauthenticated } from '#server/errors';
import { createdRoomSchema, joinedRoomSchema, roomRequestSchema, testRoomSchema } from '#shared/rooms';
import type { RequestOrigin, RoomsService } from './service.ts';

/** Joining costs an agent its way into a room: a person who tries again and again stays far below this. */
const JOINS = { count: 30, windowS: 60 };
const WEBHOOK_BYTES = 256_000;

/** `/api/livekit`: rooms for live calls. No key and no admin token ever leaves the server. */
export const roomsRoutes =
  (rooms: RoomsService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Rooms'];

    app.post(
      '/api/livekit/create-room',
      {
        config: { perUser: JOINS },
        schema: {
          tags,
          summary: 'Make a room ready, with one of your agents if you like',
          body: roomRequestSchema,
          response: { 200: createdRoomSchema },
        },
      },
      (request) => rooms.create(request.user, request.body, originOf(request)),
    );

    app.post(
      '/api/livekit/join-room',
      {
        config: { perUser: JOINS },
        schema: {
          tags,
          summary: 'A token for one room, as yourself',
          description:
            'Any signed-in user may join any room by its name. The token opens the door for ten minutes.',
          body: roomRequestSchema,
          response: { 200: joinedRoomSchema },
        },
      },
      (request) => rooms.join(request.user, request.body, originOf(request)),
    );

    app.post(
      '/api/livekit/create-test-room',
      {
        config: { perUser: JOINS },
        schema: {
          tags,
          summary: 'A token for the test room, as yourself',
          response: { 200: testRoomSchema },
        },
      },
      (request) => rooms.joinTestRoom(request.user, originOf(request)),
    );

    await app.register(async (webhooks) => {
      // What is signed are the bytes as they came: nothing that was parsed is taken.
      webhooks.removeAllContentTypeParsers();
      webhooks.addContentTypeParser(
        'application/webhook+json',
        { parseAs: 'string' },
        (_request, body, done) => done(null, body),
      );
      webhooks.post(
        '/api/livekit/webhook',
        {
          bodyLimit: WEBHOOK_BYTES,
          config: { public: true },
          schema: {
            tags,
            summary: 'What a LiveKit server tells of its rooms',
            description: 'Signed by LiveKit with the key of LIVEKIT_API_KEY.',
            security: [],
            consumes: ['application/webhook+json'],
            body: z.string(),
            response: { 204: z.void() },
          },
        },
        async (request, reply) => {
          const isGenuine = await rooms.takeWebhook(String(request.body), request.headers.authorization);
          if (!isGenuine) throw unauthenticated();
          return reply.code(204).send();
        },
      );
    });
  };

const originOf = ({ session, host, protocol }: FastifyRequest): RequestOrigin => ({
  sessionId: session.id,
  host,
  secure: protocol === 'https',
});
