import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { unauthenticated } from '#server/lib/errors';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import {
  createdRoomSchema,
  joinedRoomSchema,
  ownRoomSchema,
  roomChangeSchema,
  roomInviteSchema,
  roomNameSchema,
  roomRequestSchema,
  testRoomSchema,
} from '#shared/rooms';
import type { RequestOrigin, RoomsService } from './service.ts';

/** Joining sends an agent to a room, which is costly; a person who retries stays far below this. */
const JOINS = { count: 30, windowS: 60 };
const WEBHOOK_BYTES = 256_000;
const roomParams = z.object({ roomName: roomNameSchema });
const participantParams = roomParams.extend({ identity: z.string().max(1_000) });

/**
 * `/api/livekit`: rooms for live calls. No key or admin token ever leaves the server.
 * @param publicUrl the address customers see, for links; null: the request's own
 */
export const roomsRoutes =
  (rooms: RoomsService, publicUrl: string | null): FastifyPluginAsyncZod =>
  async (app) => {
    const secureHost = publicUrl?.startsWith('https:') ? new URL(publicUrl).host : null;
    const originOf = ({ session, host, protocol }: FastifyRequest): RequestOrigin => ({
      sessionId: session.id,
      host,
      // A page opened over https may open only wss, whether or not the proxy in front says so.
      secure: protocol === 'https' || host === secureHost,
    });

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
            'Any signed-in user may join a room by its name, unless its owner closes it: then with an invitation, once let in from the lobby (403 with the code `lobby` until then: ask again), or not while it is locked. Whoever makes a room owns it. The token opens the door for ten minutes.',
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

    app.get(
      '/api/livekit/rooms/:roomName',
      {
        schema: {
          tags,
          summary: 'A room of your own, and who waits in its lobby',
          params: roomParams,
          response: { 200: ownRoomSchema },
        },
      },
      (request) => rooms.doors.show(request.user._id, request.params.roomName),
    );

    app.put(
      '/api/livekit/rooms/:roomName',
      {
        schema: {
          tags,
          summary: 'Open or close a room of your own',
          params: roomParams,
          body: roomChangeSchema,
          response: { 200: ownRoomSchema },
        },
      },
      (request) => rooms.doors.change(request.user._id, request.params.roomName, request.body),
    );

    app.post(
      '/api/livekit/rooms/:roomName/invites',
      {
        config: { perUser: JOINS },
        schema: {
          tags,
          summary: 'A link into a room of your own',
          description: 'It holds for a week, for whoever has it.',
          params: roomParams,
          response: { 201: roomInviteSchema },
        },
      },
      async (request, reply) => {
        const { host, secure } = originOf(request);
        const base = withoutTrailingSlashes(publicUrl ?? `${secure ? 'https' : 'http'}://${host}`);
        return reply
          .code(201)
          .send(await rooms.doors.invite(request.user._id, request.params.roomName, base));
      },
    );

    app.post(
      '/api/livekit/rooms/:roomName/participants/:identity/admit',
      {
        schema: {
          tags,
          summary: 'Let somebody in who waits in the lobby of your room',
          params: participantParams,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        const { roomName, identity } = request.params;
        await rooms.doors.letIn(request.user._id, roomName, identity);
        return reply.code(204).send();
      },
    );

    app.post(
      '/api/livekit/rooms/:roomName/participants/:identity/mute',
      {
        schema: {
          tags,
          summary: 'Mute somebody in your room',
          description: 'They may turn their microphone on again.',
          params: participantParams,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        const { roomName, identity } = request.params;
        await rooms.doors.mute(request.user._id, roomName, identity);
        return reply.code(204).send();
      },
    );

    app.delete(
      '/api/livekit/rooms/:roomName/participants/:identity',
      {
        schema: {
          tags,
          summary: 'Put somebody out of your room, or turn them away from its lobby',
          description: 'Only an invitation made later lets them in again.',
          params: participantParams,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        const { roomName, identity } = request.params;
        await rooms.doors.remove(request.user._id, roomName, identity);
        return reply.code(204).send();
      },
    );

    await app.register(async (webhooks) => {
      // The signature covers the raw bytes, so parsed bodies are refused.
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
