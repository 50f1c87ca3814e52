import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { observedReading } from '#server/engines/observed';
import { createFakeReading } from '#server/engines/reading/fake';
import { noMetrics } from '#server/telemetry/metrics';
import { askedAloud, type TurnStory } from '#server/telemetry/timeline';
import type { SignedIn } from '#shared/accounts';
import { noAnswers, serveNoAnswer } from '../../tests/support/no-answers.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { openTraces, type Traces } from './opentelemetry.ts';

const spanSchema = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
  status: z.object({ code: z.number() }),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(z.object({ key: z.string(), value: z.unknown() })) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});
type Spans = z.infer<typeof spanSchema>[];

/** A test collector, as specified by OTLP/HTTP with JSON. */
let collector: Server;
let endpoint: string;
let received: { url: string; text: string; body: z.infer<typeof exportSchema> }[] = [];
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    received.push({ url: request.url ?? '', text, body: exportSchema.parse(JSON.parse(text)) });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterEach(() => {
  received = [];
});
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});

const arrived = () => expect.poll(() => spansOf().map(({ name }) => name)).toContain('turn');
const spansOf = (): Spans =>
  received.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
const attributesOf = (span: Spans[number] | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => {
      const [told] = Object.values(value);
      return [key, told];
    }),
  );
const ms = (from: bigint, to: bigint) => Math.round(Number(to - from) / 1e6);

const aStory = (changes: Partial<TurnStory> = {}): TurnStory => ({
  kind: 'spoken',
  outcome: 'answered',
  conversationId: 'a conversation',
  messageId: 'a message',
  responseId: 'a response',
  askedAt: 1_000,
  endedAt: 3_000,
  firstTextAt: 1_400,
  firstSoundAt: 1_500,
  sentences: 2,
  steps: [],
  ...changes,
});

it('makes one trace of a turn, each step in its place', async () => {
  const traces = openTraces({ endpoint: `${endpoint}/`, serviceName: 'care', onFailure() {}, gatherMs: 1 });
  const recognition = { startedAt: 1_050, endedAt: 1_200 };
  const spoken = { startedAtMs: 500, endedAtMs: 2_500, waitedMs: 300, recognition };
  const { endedAt: askedAt, steps } = askedAloud(spoken, 1_300);
  traces.turn(
    aStory({
      askedAt,
      steps: [
        ...steps,
        { name: 'dialogue', startedAt: 1_310, endedAt: 1_390 },
        { name: 'search', startedAt: 1_320, endedAt: 1_330 },
        { name: 'reading', startedAt: 1_330, endedAt: 1_350, failed: true },
        { name: 'synthesis', startedAt: 1_390, endedAt: 1_490 },
        { name: 'first sound', startedAt: 1_490, endedAt: 1_500 },
      ],
    }),
  );
  await arrived();
  await traces.close();

  expect(received.map(({ url }) => url)).toEqual(['/v1/traces']);
  expect(received[0]?.body.resourceSpans[0]?.resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'care' },
  });
  const spans = spansOf();
  const named = (name: string) => spans.find((span) => span.name === name);
  const root = named('turn');
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(root?.parentSpanId).toBeUndefined();
  expect(attributesOf(root)).toEqual({
    'sigma.turn.kind': 'spoken',
    'sigma.turn.outcome': 'answered',
    'sigma.turn.sentences': 2,
    'sigma.conversation.id': 'a conversation',
    'sigma.message.id': 'a message',
    'sigma.response.id': 'a response',
    'sigma.turn.first_text_ms': 400,
    'sigma.turn.first_sound_ms': 500,
  });
  const tree = spans.map(({ name, parentSpanId, startTimeUnixNano, endTimeUnixNano }) => [
    spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? '',
    name,
    ms(root?.startTimeUnixNano ?? 0n, startTimeUnixNano),
    ms(startTimeUnixNano, endTimeUnixNano),
  ]);
  // It begins with the customer's speech, two seconds before its end.
  expect(
    tree.sort((a, b) => Number(a[2]) - Number(b[2]) || String(a[1]).localeCompare(String(b[1]))),
  ).toEqual([
    ['turn', 'listening', 0, 2_000],
    ['', 'turn', 0, 4_000],
    ['turn', 'endpointing', 2_000, 300],
    ['turn', 'recognition', 2_050, 150],
    ['turn', 'dialogue', 2_310, 80],
    ['dialogue', 'search', 2_320, 10],
    ['dialogue', 'reading', 2_330, 20],
    ['turn', 'synthesis', 2_390, 100],
    ['turn', 'first sound', 2_490, 10],
  ]);
  expect(named('reading')?.status.code).toBe(2);
  expect(named('search')?.status.code).not.toBe(2);
});

it('says once that nobody takes its traces, and drops them without keeping anybody waiting', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const failures: unknown[] = [];
  const traces = openTraces({
    endpoint: `http://127.0.0.1:${port}`,
    serviceName: 'care',
    onFailure: (error) => failures.push(error),
    gatherMs: 1,
  });
  for (let n = 0; n < 5_000; n++) traces.turn(aStory());
  await expect.poll(() => failures.length).toBe(1);
  for (let n = 0; n < 10; n++) traces.turn(aStory());
  await traces.close();
  expect(failures).toHaveLength(1);
});

it.each(noAnswers)('sends on to a collector that %s, and says once that it is away', async (way) => {
  const away = await serveNoAnswer(way);
  const failures: unknown[] = [];
  const traces = openTraces({
    endpoint: `http://${away.host}`,
    serviceName: 'care',
    onFailure: (error) => failures.push(error),
    gatherMs: 1,
    sendMs: 100,
  });
  traces.turn(aStory());
  await expect.poll(() => failures.length).toBe(1);
  await traces.close();
  await away.close();
});

it('finds the collector again after many answers that were none', async () => {
  const away = await serveNoAnswer('changes to another protocol');
  const failures: unknown[] = [];
  const given = { serviceName: 'care', onFailure: (error: unknown) => failures.push(error), gatherMs: 1 };
  const traces = openTraces({ ...given, endpoint: `http://${away.host}`, sendMs: 20 });
  const open = away.connections;
  // More than the exporter can queue.
  for (let time = 0; time < 40; time++) {
    traces.turn(aStory());
    const before = open();
    await expect.poll(open).toBeGreaterThan(before);
  }
  await traces.close();
  await away.close();
});

it('traces a real turn without a word that was said', async () => {
  const traces: Traces = openTraces({ endpoint, serviceName: 'sigma', onFailure() {}, gatherMs: 1 });
  const reading = observedReading(createFakeReading(), noMetrics);
  const app: TestApp = await openTestApp({ engines: { reading }, onTurn: (story) => traces.turn(story) });
  const ada: SignedIn = await app.signUp({ name: 'Ada Lovelace' });
  const settings = { auth: { token: ada.token, streaming: true }, transports: ['websocket'], forceNew: true };
  const socket: Socket = io(await app.listen(), settings);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const emit = (event: string, payload: object) =>
    new Promise<{ conversationId?: string }>((resolve) => socket.emit(event, payload, resolve));
  const { conversationId } = await emit('start_conversation', {
    userId: ada.user._id,
    isCallSimulator: true,
  });
  const answered = new Promise<{ message: string }>((resolve) => socket.once('ai_response', resolve));
  await emit('user_message', { conversationId, message: 'Do you sell zeppelins?', isCallSimulator: true });
  const { message } = await answered;
  socket.disconnect();
  await app.close();
  await arrived();
  await traces.close();

  const spans = spansOf();
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'turn',
      'storing',
      'waiting',
      'dialogue',
      'search',
      'reading',
      'synthesis',
      'first sound',
    ]),
  );
  const root = spans.find(({ name }) => name === 'turn');
  expect(attributesOf(root)).toMatchObject({
    'sigma.turn.kind': 'typed',
    'sigma.turn.outcome': 'answered',
    'sigma.conversation.id': conversationId,
  });
  const sent = received.map(({ text }) => text).join('');
  for (const own of ['zeppelin', message.slice(0, 20), ada.user.name, ada.user.email, ada.user._id])
    expect(sent).not.toContain(own);
});
