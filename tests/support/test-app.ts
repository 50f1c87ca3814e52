import type { LightMyRequestResponse } from 'fastify';
import { type App, type AppParts, createApp } from '#server/app';
import { createDialogue } from '#server/dialogue/respond';
import { createFakeEncoder, soundOfText } from '#server/engines/encoding/fake';
import { createFakeParticipants } from '#server/engines/participants/fake';
import { createFakeReading } from '#server/engines/reading/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeSentiment } from '#server/engines/sentiment/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { createFakeVoiceActivity } from '#server/engines/voice-activity/fake';
import { type SignedIn, signedInSchema } from '#shared/accounts';
import { aRegistration } from '../factories.ts';
import { capturedLogger } from './captured-logger.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

export interface TestApp extends App {
  database: TestDatabase;
  /** Every log line so far, parsed. */
  logs(): Record<string, unknown>[];
  /** Listens on a free port of this machine, for sockets and real clients. @returns http://127.0.0.1:port */
  listen(): Promise<string>;
  /** Registers somebody new. */
  signUp(changes?: Partial<Parameters<typeof aRegistration>[0]>): Promise<SignedIn>;
  /** A request with a bearer token. */
  as(
    token: string,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
}

type TestAppChanges = Partial<Omit<AppParts, 'engines'>> & { engines?: Partial<AppParts['engines']> };

/** A voice that is always ready and says nothing: 10 ms per character. */
export const silentVoice = (): SynthesisEngine => ({
  name: 'Silent voice',
  status: () => ({ state: 'ready', message: 'The voice is ready.' }),
  async *synthesize({ text, signal }) {
    signal?.throwIfAborted();
    yield { text, ...soundOfText(text, text.length * 10) };
  },
  async close() {},
});

/**
 * The whole app as `main` builds it, on a fresh database of its own, with fake engines and without rate limits unless a
 * test asks for other parts. `close` closes everything.
 */
export async function openTestApp(changes: TestAppChanges = {}): Promise<TestApp> {
  const database = await openTestDatabase();
  const reading = changes.engines?.reading ?? createFakeReading();
  const log = capturedLogger();
  const dialogue = createDialogue({ language: null, reading });
  const app = await createApp({
    config: { publicUrl: null, corsOrigins: [], rateLimit: false },
    database,
    mediaStore: createFakeMediaStore(),
    dialogue,
    logger: log.logger,
    ...changes,
    engines: {
      synthesis: silentVoice(),
      encoder: createFakeEncoder(),
      reading,
      language: null,
      sentiment: createFakeSentiment(),
      recognition: createFakeRecognition(),
      voiceActivity: createFakeVoiceActivity(),
      turnJudgement: createTurnJudgement(),
      rooms: createFakeRooms(),
      participants: createFakeParticipants(),
      ...changes.engines,
    },
  });
  return {
    ...app,
    database,
    logs: log.lines,
    listen: () => app.server.listen({ host: '127.0.0.1', port: 0 }),
    async signUp(registration = {}) {
      const response = await app.server.inject({
        method: 'POST',
        url: '/api/auth/register',
        body: aRegistration(registration),
      });
      return signedInSchema.parse(response.json());
    },
    as: (token, method, url, body, headers = {}) =>
      app.server.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body ? { body } : {}),
      }),
    async close() {
      await app.close(1_000);
      await dialogue.close();
      await database.close();
    },
  };
}
