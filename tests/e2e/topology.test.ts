import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { resample } from '#server/audio/resampler';
import { decodeWav } from '#server/audio/wav';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { createOpenAiRecognition } from '#server/engines/recognition/openai-compatible';
import { type SignedIn, signedInSchema } from '#shared/accounts';
import type { AiResponse } from '#shared/realtime';
import { joinedRoomSchema } from '#shared/rooms';
import { startPostgres } from '../../scripts/lib/test-machine.js';
import { aRegistration } from '../factories.ts';
import { freePort } from '../support/free-port.ts';
import { hasNginx, startNginx, writeProxyConfig } from '../support/nginx.ts';
import { type Program, startProgram } from '../support/programs.ts';
import { hasRedis, RedisServer } from '../support/redis-server.ts';
import { RoomCustomer } from '../support/room-customers.ts';
import { livekitRooms } from '../support/room-servers.ts';
import { until } from '../support/room-world.ts';
import { openSmallS3 } from '../support/small-s3.ts';
import { runsRest } from '../support/test-part.ts';

/**
 * The topology of deploy/compose.yaml from parts on this machine: two web instances and a speech server with the
 * settings of that file, PostgreSQL, Redis and LiveKit if present, a store, and the proxy's own configuration in front.
 * Rooms are tested elsewhere: here they only have to outlive an instance.
 */

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const scratch = mkdtempSync(join(tmpdir(), 'sigma-topology-'));
const postgres =
  runsRest && hasNginx() && existsSync(join(models, 'piper'))
    ? await startPostgres(scratch)
    : { url: null, reason: 'this run is without it' };

const environmentsSchema = z.object({
  services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()).default({}) })),
});
const compose = environmentsSchema.parse(
  parse(readFileSync(new URL('../../deploy/compose.yaml', import.meta.url), 'utf8'), { merge: true }),
);
const KEY = 'a-key-of-many-letters';
const hasRooms = livekitRooms.missing === null && hasRedis;
const roomRecordsSchema = z.array(
  z.object({
    roomName: z.string().optional(),
    messages: z.array(z.object({ role: z.string(), content: z.string() })).default([]),
  }),
);

/** A service's settings in the file, with secrets filled in. @param here values that differ here; undefined: omitted */
function settingsOf(service: string, here: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const said = Object.entries(compose.services[service]?.environment ?? {}).map(([name, value]) => [
    name,
    value.replace(/\$\{[A-Z0-9_]+(?::[^}]*)?\}/g, KEY),
  ]);
  const both: Record<string, string | undefined> = { ...Object.fromEntries(said), ...here };
  return Object.fromEntries(Object.entries(both).filter(([, value]) => value !== undefined));
}

describe.skipIf(!postgres.url)(
  'the topology of compose.yaml (skipped where nginx, PostgreSQL or the speech weights are missing)',
  () => {
    const closers: (() => Promise<unknown>)[] = [];
    const web: Program[] = [];
    let startWeb: (name: string, port: number) => Program;
    let speech: Program;
    let page: string;
    let speechThroughProxy: string;
    let person: SignedIn;

    beforeAll(async () => {
      const redis = hasRedis ? await RedisServer.start('--requirepass', KEY) : null;
      if (redis) closers.push(() => redis.kill());
      const livekit = hasRooms ? await livekitRooms.start() : null;
      if (livekit) closers.push(() => livekit.stop());
      const store = await openSmallS3({ bucket: 'sigma-recordings', accessKeyId: KEY });
      const [pagePort, speechPort, ears, ...webPorts] = await Promise.all(
        Array.from({ length: 5 }, freePort),
      );
      page = `http://127.0.0.1:${pagePort}`;
      speechThroughProxy = `http://127.0.0.1:${speechPort}/v1`;
      const aside = { HOME: scratch, npm_config_registry: 'http://127.0.0.1:9/', METRICS_PORT: undefined };
      const start = (file: string, env: NodeJS.ProcessEnv) => {
        const program = startProgram(file, [], env);
        closers.push(async () => {
          program.child.kill('SIGKILL');
          await program.ended;
        });
        return program;
      };
      speech = start(
        'server/app/speech-main.ts',
        settingsOf('speech-1', {
          ...aside,
          SPEECH_HOST: '127.0.0.1',
          SPEECH_PORT: String(ears),
          MODELS_DIR: models,
        }),
      );
      // Each instance detects speech itself.
      const webModels = join(scratch, 'models');
      await mkdir(webModels);
      await cp(join(models, 'listening'), join(webModels, 'listening'), { recursive: true });
      startWeb = (name, port) =>
        start(
          'server/app/main.ts',
          settingsOf('web-1', {
            ...aside,
            PORT: String(port),
            HOST: '127.0.0.1',
            DATA_DIR: join(scratch, name),
            MODELS_DIR: webModels,
            PUBLIC_URL: page,
            DATABASE_URL: postgres.url ?? undefined,
            REDIS_URL: redis?.url.replace('//', `//:${KEY}@`),
            STT_BASE_URL: speechThroughProxy,
            TTS_BASE_URL: speechThroughProxy,
            LIVEKIT_URL: livekit?.url,
            LIVEKIT_API_KEY: livekit?.apiKey,
            LIVEKIT_API_SECRET: livekit?.apiSecret,
            S3_ENDPOINT: store.address,
            REGISTRATION: 'open',
          }),
        );
      for (const [n, port] of webPorts.entries()) web.push(startWeb(`web-${n + 1}`, port));
      await Promise.all(
        [speech, ...web].map((program) => program.until(({ stdout }) => stdout.includes('\n'))),
      );
      const behind = {
        'web-1:3000': webPorts[0] ?? 9,
        'web-2:3000': webPorts[1] ?? 9,
        'speech-1:3100': ears ?? 9,
        // The second one is away: requests go to the first.
        'speech-2:3100': 9,
      };
      const config = writeProxyConfig(scratch, { page: pagePort ?? 0, speech: speechPort ?? 0, behind });
      closers.push(startNginx(scratch, config), () => store.close());
      await ready(`http://127.0.0.1:${ears}/ready`);
      await ready(`${page}/ready?for=text`);
      const registered = await fetch(`${page}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(aRegistration()),
      });
      person = signedInSchema.parse(await registered.json());
    });
    afterAll(async () => {
      for (const close of closers.reverse()) await close();
      if ('stop' in postgres) await postgres.stop();
      await rm(scratch, { recursive: true, force: true });
    });

    /** Number of times the speech server has spoken. */
    const timesSpoken = () =>
      [...JSON.stringify(speech.output()).matchAll(/v1\/audio\/speech[^}]{0,30}200/g)].length;

    async function ready(url: string): Promise<void> {
      while ((await fetch(url).catch(() => null))?.status !== 200) await pause(100);
    }

    async function call(transports: string[]): Promise<{ socket: Socket; conversationId: string }> {
      const socket = io(page, { auth: { token: person.token }, transports, forceNew: true });
      closers.push(async () => socket.disconnect());
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('connect_error', reject);
      });
      const { conversationId } = await socket.emitWithAck('start_conversation', { userId: person.user._id });
      return { socket, conversationId };
    }

    function ask({
      socket,
      conversationId,
    }: {
      socket: Socket;
      conversationId: string;
    }): Promise<AiResponse> {
      const answered = new Promise<AiResponse>((resolve) => socket.once('ai_response', resolve));
      socket.emit('user_message', { conversationId, message: 'When does a refund arrive?' });
      return answered;
    }

    it.each([['websocket'], ['polling']])('answers over %s, and has its words spoken', async (transport) => {
      const before = timesSpoken();
      const { message } = await ask(await call([transport]));
      expect(message).toMatch(/refund/i);
      // Text does not wait long for a late voice on a busy machine, but the voice was asked regardless.
      await expect.poll(timesSpoken).toBeGreaterThan(before);
    });

    it('hears what it says, through the proxy in front of ears and voice', async () => {
      const said = await fetch(`${speechThroughProxy}/audio/speech`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
        body: JSON.stringify({
          model: 'piper',
          voice: 'sigma',
          input: 'Delivery takes three to five days.',
          response_format: 'wav',
        }),
      });
      const { samples, sampleRate } = decodeWav(new Uint8Array(await said.arrayBuffer()));
      const ears = createOpenAiRecognition({ baseUrl: speechThroughProxy, model: 'moonshine', apiKey: KEY });
      const sound = resample(samples, sampleRate, HEARING_SAMPLE_RATE);
      const heard = await ears.recognize({ samples: sound, urgency: 'final' });
      await ears.close();
      // Recognition may write numbers in either form.
      expect(heard).toMatch(/(?:three|3) to (?:five|5) days/);
    });

    it.skipIf(!hasRooms).each([['SIGKILL'], ['SIGTERM']] as const)(
      'a room goes on when the instance that has its agent ends by %s (skipped without LiveKit and Redis)',
      async (signal) => {
        const port = await freePort();
        const third = startWeb(`web-${signal}`, port);
        await ready(`http://127.0.0.1:${port}/ready`);
        const authorization = `Bearer ${person.token}`;
        const roomName = `ends by ${signal}`;
        const response = await fetch(`http://127.0.0.1:${port}/api/livekit/join-room`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ roomName, participantName: '-', participantIdentity: person.user._id }),
        });
        const { wsUrl, participantToken } = joinedRoomSchema.parse(await response.json());
        const customer = new RoomCustomer(wsUrl, participantToken);
        closers.push(() => customer.leave());
        const record = (from: number) =>
          customer.notices('data', ({ topic }) => topic === 'sigma.conversation', { from });
        const first = await record(0);
        // The welcome arrives complete.
        await customer.notices(
          'attributes',
          ({ attributes }) => attributes['lk.agent.state'] === 'listening',
        );
        const from = customer.events.length;
        third.child.kill(signal);
        await customer.notices('came', ({ identity }) => identity.startsWith('agent-'), { from });
        expect(await record(from)).toEqual(first);
        await customer.say('d-sentence-02');
        const messages = await until(async () => {
          const listed = await fetch(`${page}/api/conversations`, { headers: { authorization } });
          const records = roomRecordsSchema.parse(await listed.json());
          const [record, ...others] = records.filter((one) => one.roomName === roomName);
          expect(others).toEqual([]);
          return record && record.messages.length >= 3 ? record.messages : undefined;
        }, 'the answer');
        expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
        expect(messages[2]?.content).toMatch(/sunday/i);
        await customer.leave();
        await third.ended;
      },
    );

    it('goes on at the other instance when one is killed', async () => {
      const { socket, conversationId } = await call(['websocket']);
      const serving = web.find((program) => JSON.stringify(program.output()).includes('/api/auth/register'));
      expect(serving).toBeDefined();
      const back = new Promise<void>((resolve) =>
        socket.once('disconnect', () => socket.once('connect', resolve)),
      );
      serving?.child.kill('SIGKILL');
      await back;
      await socket.emitWithAck('start_conversation', { userId: person.user._id, conversationId });
      expect((await ask({ socket, conversationId })).message).toMatch(/refund/i);
    });
  },
);
