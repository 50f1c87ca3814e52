import { channel } from 'node:diagnostics_channel';
import { request } from 'node:http';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveMetrics } from '#server/app/metrics-server';
import { THREAD_STOPPED } from '#server/threads/worker-thread';
import type { SignedIn } from '#shared/accounts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { createPrometheus, type Prometheus } from './prometheus.ts';

let metrics: Prometheus;
let door: Awaited<ReturnType<typeof serveMetrics>>;
let app: TestApp;
let ada: SignedIn;
let socket: Socket;
beforeAll(async () => {
  metrics = createPrometheus();
  door = await serveMetrics(metrics, '127.0.0.1', 0);
  const config = { publicUrl: null, corsOrigins: [], rateLimit: false, dataDir: process.cwd() };
  app = await openTestApp({ metrics, config });
  const url = await app.listen();
  ada = await app.signUp({ name: 'Ada Lovelace' });
  socket = io(url, {
    auth: { token: ada.token, streaming: true },
    transports: ['websocket'],
    forceNew: true,
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
});
afterAll(async () => {
  socket.disconnect();
  await app.close();
  await door.close();
  metrics.close();
});

const page = async () => (await fetch(`http://127.0.0.1:${door.port}/metrics`)).text();
/** The value of one sample by name with labels; undefined if missing. */
const sample = async (name: string) => {
  const line = (await page()).split('\n').find((line) => line.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
};
const emit = (event: string, payload: object) =>
  new Promise<{ ok: boolean; conversationId?: string }>((resolve) => socket.emit(event, payload, resolve));

it('counts a turn from its question to its first words and its first sound', async () => {
  const { conversationId } = await emit('start_conversation', {
    userId: ada.user._id,
    isCallSimulator: true,
  });
  const answered = new Promise((resolve) => socket.once('ai_response', resolve));
  await emit('user_message', { conversationId, message: 'When are you open?', isCallSimulator: true });
  await answered;
  await expect.poll(() => sample('sigma_turns_total{kind="typed",outcome="answered"}')).toBe(1);
  expect(await sample('sigma_turn_first_text_seconds_count{kind="typed"}')).toBe(1);
  expect(await sample('sigma_turn_first_sound_seconds_count{kind="typed"}')).toBe(1);
  expect(await sample('sigma_turns_in_progress')).toBe(0);
});

it('counts turns that were answered at a glance once, however often they glanced', async () => {
  const story = {
    kind: 'spoken',
    outcome: 'answered',
    ...{ conversationId: 'c', messageId: 'm', responseId: 'r', askedAt: 0, endedAt: 9 },
    ...{ firstTextAt: null, firstSoundAt: null, sentences: 1 },
  } as const;
  const glance = { name: 'glance', startedAt: 1, endedAt: 1 } as const;
  metrics.turn({ ...story, steps: [glance, glance] });
  metrics.turn({ ...story, steps: [] });
  expect(await sample('sigma_turns_at_a_glance_total{kind="spoken"}')).toBe(1);
});

it('counts requests by the pattern of their route, and refusals by their code', async () => {
  await app.as(ada.token, 'GET', '/api/conversations/018f0000-0000-7000-8000-000000000001');
  await app.server.inject('/api/agents');
  expect(
    await sample(
      'sigma_http_request_duration_seconds_count{method="GET",route="/api/conversations/:id",status="404"}',
    ),
  ).toBe(1);
  expect(await sample('sigma_refusals_total{where="http",reason="not-found"}')).toBe(1);
  expect(await sample('sigma_refusals_total{where="http",reason="unauthenticated"}')).toBe(1);
  expect(await emit('start_conversation', { userId: 'somebody else' })).toMatchObject({ ok: false });
  expect(await sample('sigma_refusals_total{where="channel",reason="forbidden"}')).toBe(1);
});

it('shows what is there right now', async () => {
  expect(await sample('sigma_sockets')).toBe(1);
  expect(await sample('sigma_speakers')).toBe(0);
  expect(await sample('sigma_speaker_seats')).toBe(200);
  expect(await sample('sigma_rooms')).toBe(0);
  expect(await sample('sigma_room_seats')).toBe(20);
  expect(await sample('sigma_room_participants')).toBe(0);
  expect(await sample('sigma_recordings')).toBeGreaterThanOrEqual(0);
  expect(await sample('sigma_disk_free_bytes')).toBeGreaterThan(0);
  expect(await sample('sigma_database_requests_waiting')).toBe(0);
  expect(await sample('sigma_engine_requests_in_progress{engine="recognition"}')).toBe(0);
  expect(await sample('sigma_events_unread{subscriber="sentiment"}')).toBeGreaterThanOrEqual(0);
  expect(
    await sample('sigma_events_oldest_unread_seconds{subscriber="unanswered_questions"}'),
  ).toBeGreaterThanOrEqual(0);
  expect(await sample('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect(await sample('process_resident_memory_bytes')).toBeGreaterThan(0);
});

it('counts threads that stopped by themselves, by name', async () => {
  channel(THREAD_STOPPED).publish({ name: './piper.worker', hangs: true });
  expect(await sample('sigma_thread_stops_total{thread="piper",why="hang"}')).toBe(1);
});

it('holds nothing of anybody', async () => {
  const text = await page();
  for (const own of [ada.user.name, ada.user.email, ada.user._id, ada.token, 'When are you open'])
    expect(text).not.toContain(own);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

it('leaves out what cannot be read, and answers with the rest', async () => {
  const own = createPrometheus();
  own.show({
    turns: () => 3,
    speakers: () => ({ taken: 0, max: 1 }),
    rooms: () => ({ taken: 0, max: 1 }),
    participants: () => 0,
    sockets: () => 0,
    database: () => ({ open: 0, idle: 0, waiting: 0 }),
    recordings: () => Promise.reject(new Error('The database is away.')),
  });
  const text = await own.page();
  own.close();
  expect(text).toContain('\nsigma_turns_in_progress 3\n');
  expect(text).not.toContain('\nsigma_recordings ');
});

it('answers nothing else on its port', async () => {
  const at = `http://127.0.0.1:${door.port}`;
  expect((await fetch(`${at}/`)).status).toBe(404);
  expect((await fetch(`${at}/api/agents`)).status).toBe(404);
  expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(404);
  expect((await app.server.inject('/metrics')).body).not.toContain('sigma_turns_total');
});

it('answers no host that is a stranger’s: its page would be of the same origin', async () => {
  const ask = (path: string, host: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = request({ port: door.port, host: '127.0.0.1', path, headers: { host } }, (answer) =>
        resolve(answer.resume().statusCode ?? 0),
      );
      asked.on('error', reject);
      asked.end();
    });
  expect(await ask('/metrics', 'rebind.example.com')).toBe(403);
  expect(await ask('/metrics', `127.0.0.1:${door.port}`)).toBe(200);
  expect(await ask('/metrics', 'sigma-web-1:9464')).toBe(200);
  for (const path of ['/%6detrics', 'http://x/metrics', '//metrics'])
    expect(await ask(path, 'localhost'), path).toBe(400);
});

it('says which setting is wrong when its port is taken', async () => {
  await expect(serveMetrics(metrics, '127.0.0.1', door.port)).rejects.toThrow(
    /Port \d+ is taken by another program: .*METRICS_PORT=/,
  );
});
