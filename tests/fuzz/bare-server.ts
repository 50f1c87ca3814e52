import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { readSound, weighSound } from '#server/features/channels/page/speech/sound';
import { createAddressOf, createProxyCheck } from '#server/http/client-address';
import { guardFrontGate } from '#server/http/front-gate';
import { createHostCheck } from '#server/http/hosts';
import { createOriginCheck } from '#server/http/origins';
import { createHttpServer } from '#server/http/server';
import { serveWebAssets } from '#server/http/web-assets';
import { EVERY_MEMBER, memberIn } from '#server/lib/principal';
import { type RealtimeFeature, realtimeEvent } from '#server/realtime/feature';
import { attachRealtime } from '#server/realtime/server';
import { createLogger } from '#server/telemetry/logger';
import { credentialsSchema } from '#shared/accounts';
import { conversationListQuerySchema } from '#shared/conversations';
import {
  interruptSchema,
  playbackSchema,
  speechEndSchema,
  speechStartSchema,
  startConversationSchema,
  userMessageSchema,
} from '#shared/realtime';
import { aMember } from '../factories.ts';

/** The token of the one who is signed in. */
export const TOKEN = 'a-token';

interface BareServer {
  app: FastifyInstance;
  /** @throws the first failure that was logged */
  refuseFailures(): void;
  close(): Promise<void>;
}

/**
 * The product's HTTP server, front gate and real-time channel with all their limits, in the order of app.ts, and no database
 * behind them: routes and events check what they are sent, and do nothing.
 */
export async function openBareServer(routes: FastifyPluginAsyncZod): Promise<BareServer> {
  const failures: string[] = [];
  const logger = createLogger({
    level: 'error',
    destination: { write: (line) => void failures.push(line) },
  });
  const config = { publicUrl: null, corsOrigins: [], allowedHosts: [] };
  const session = { id: 's', user: aMember({ _id: 'u' }) };
  const authenticate = async (token: string) => (token === TOKEN ? memberIn(session) : null);
  const isAllowedOrigin = createOriginCheck(config);
  const isProxy = createProxyCheck(config);
  const addressOf = createAddressOf(isProxy);
  const app = await createHttpServer({ config, logger, isAllowedOrigin, isProxy, authenticate });
  await app.register(someRoutes);
  await app.register(routes);
  await serveWebAssets(app, fileURLToPath(new URL('../../web', import.meta.url)));
  await app.ready();
  const realtime = attachRealtime({
    httpServer: app.server,
    authenticate,
    isAllowedOrigin,
    addressOf,
    features: [someEvents],
    limiter: null,
    log: logger,
  });
  guardFrontGate(app.server, {
    addressOf,
    isAllowedHost: createHostCheck(config),
    isAllowedOrigin,
    limiter: null,
    log: logger,
    publicUrl: config.publicUrl,
  });
  return {
    app,
    refuseFailures() {
      if (failures.length > 0) throw new Error(`The server says ${failures[0]}`);
    },
    async close() {
      await realtime.close();
      await app.close();
    },
  };
}

/** One of each kind: with a query, a body of JSON, and a body that is taken as it came. */
const someRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get('/api/conversations', { schema: { querystring: conversationListQuerySchema } }, async () => []);
  app.post(
    '/api/auth/login',
    { config: { public: true }, schema: { body: credentialsSchema } },
    async () => ({}),
  );
  await app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers();
    webhooks.addContentTypeParser('application/webhook+json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    webhooks.post(
      '/api/livekit/webhook',
      { config: { public: true }, schema: { body: z.string() } },
      async () => ({}),
    );
  });
};

const perUser = { count: 1, windowMs: 1_000 };
const checked = (schema: z.ZodType) =>
  realtimeEvent({
    serves: EVERY_MEMBER,
    schema,
    perUser,
    handle: async (_client, _payload, acknowledge) => acknowledge({ ok: true }),
  });

/** The events of calls, up to where a call begins. */
const someEvents: RealtimeFeature = {
  attached() {},
  left() {},
  events: {
    start_conversation: checked(startConversationSchema),
    user_message: checked(userMessageSchema),
    interrupt: checked(interruptSchema),
    speech_start: checked(speechStartSchema),
    speech_end: checked(speechEndSchema),
    playback: checked(playbackSchema),
    speech_audio: {
      serves: EVERY_MEMBER,
      perUser,
      weigh: weighSound,
      async handle(_client, payload, acknowledge) {
        weighSound(payload);
        readSound(payload);
        acknowledge({ ok: true });
      },
    },
  },
};
