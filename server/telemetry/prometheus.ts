import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { z } from 'zod';
import type { Gauges, Metrics } from '#server/telemetry/metrics';
import { nativeUsage } from '#server/threads/native-process';
import { THREAD_STOPPED } from '#server/threads/worker-thread';

/** Histogram bounds in seconds: waits that a caller hears, and engines' work. */
const FIRST_WORDS_S = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];
const WORK_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Prometheus extends Metrics {
  readonly contentType: string;
  /** All metrics in Prometheus' text format. */
  page(): Promise<string>;
  close(): void;
}

/** Counts in a registry of its own. The only file that uses the library. */
export function createPrometheus(): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countNativeProcesses(registry);
  const { turns, glances, firstText, firstSound, requests, refusals, work, queue, tokens, threads } =
    metersIn(registry);
  for (const engine of ['recognition', 'reading', 'synthesis', 'language_model']) queue.set({ engine }, 0);

  const onThreadStopped = (message: unknown) => {
    const { data } = threadStoppedSchema.safeParse(message);
    if (data) threads.inc({ thread: basename(data.name, '.worker'), why: data.hangs ? 'hang' : 'crash' });
  };
  subscribe(THREAD_STOPPED, onThreadStopped);

  return {
    contentType: registry.contentType,
    page: () => registry.metrics(),
    close() {
      unsubscribe(THREAD_STOPPED, onThreadStopped);
      registry.clear();
    },
    turn({ kind, outcome, askedAt, firstTextAt, firstSoundAt, steps }) {
      turns.inc({ kind, outcome: value(outcome) });
      if (steps.some(({ name }) => name === 'glance')) glances.inc({ kind });
      if (firstTextAt !== null) firstText.observe({ kind }, seconds(firstTextAt - askedAt));
      if (firstSoundAt !== null) firstSound.observe({ kind }, seconds(firstSoundAt - askedAt));
    },
    request: (method, route, status, ms) =>
      requests.observe({ method, route: route ?? 'none', status: String(status) }, seconds(ms)),
    refused: (where, reason) => refusals.inc({ where: value(where), reason }),
    asked(name) {
      const engine = value(name);
      const since = performance.now();
      queue.inc({ engine });
      return (how) => {
        queue.dec({ engine });
        work.observe({ engine, outcome: value(how) }, seconds(performance.now() - since));
      };
    },
    tokens: (direction, count) => tokens.inc({ direction }, count),
    show: (gauges) => showGauges(gauges, registry),
  };
}

/** What the product itself counts and times. */
function metersIn(registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const turns = counter('sigma_turns_total', 'Turns that have ended.', ['kind', 'outcome']);
  const glances = counter(
    'sigma_turns_at_a_glance_total',
    'Turns answered by likeness alone: a closer look would have come late.',
    ['kind'],
  );
  const firstText = histogram(
    'sigma_turn_first_text_seconds',
    'From the end of a question to the first words of its answer.',
    ['kind'],
    FIRST_WORDS_S,
  );
  const firstSound = histogram(
    'sigma_turn_first_sound_seconds',
    'From the end of a question to the first sound of its answer.',
    ['kind'],
    FIRST_WORDS_S,
  );
  const requests = histogram(
    'sigma_http_request_duration_seconds',
    'HTTP requests by the pattern of their route.',
    ['method', 'route', 'status'],
    WORK_S,
  );
  const refusals = counter('sigma_refusals_total', 'What was refused, and the code of why.', [
    'where',
    'reason',
  ]);
  const work = histogram(
    'sigma_engine_request_duration_seconds',
    'From asking an engine to its answer, waiting in its line included.',
    ['engine', 'outcome'],
    WORK_S,
  );
  const queue = new Gauge({
    name: 'sigma_engine_requests_in_progress',
    help: 'What engines were asked and have not answered: waiting or at work.',
    labelNames: ['engine'],
    registers,
  });
  const tokens = counter('sigma_language_model_tokens_total', 'Tokens, where a language model tells them.', [
    'direction',
  ]);
  const threads = counter('sigma_thread_stops_total', 'Worker threads that stopped or hung unasked.', [
    'thread',
    'why',
  ]);
  return { turns, glances, firstText, firstSound, requests, refusals, work, queue, tokens, threads };
}

/** Memory and processor time of the processes of native engines, read when metrics are requested. */
function countNativeProcesses(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'sigma_native_process_resident_memory_bytes',
    help: 'Memory of the processes in which native engines run and files are read.',
    registers,
    collect() {
      this.set(nativeUsage().residentBytes);
    },
  });
  new Counter({
    name: 'sigma_native_process_cpu_seconds_total',
    help: 'Processor time of those processes, and of those before them.',
    registers,
    collect() {
      this.reset();
      this.inc(nativeUsage().cpuMs / 1_000);
    },
  });
}

const threadStoppedSchema = z.object({ name: z.string(), hangs: z.boolean() });

const seconds = (ms: number) => Math.max(0, ms) / 1000;
/** Label values are one word. */
const value = (words: string) => words.replaceAll(' ', '_');

function showGauges(gauges: Gauges, registry: Registry): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) => {
    const shown: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        try {
          shown.set(await read());
        } catch {
          shown.remove();
        }
      },
    });
  };
  const { diskFree } = gauges;
  gauge('sigma_turns_in_progress', 'Turns that are answered, or wait for it.', () => gauges.turns());
  gauge('sigma_speakers', 'Microphones that are on, on pages.', () => gauges.speakers().taken);
  gauge('sigma_speaker_seats', 'Microphones on pages that may be on.', () => gauges.speakers().max);
  gauge('sigma_rooms', 'Live rooms with an agent.', () => gauges.rooms().taken);
  gauge('sigma_room_seats', 'Live rooms that may have an agent.', () => gauges.rooms().max);
  gauge('sigma_room_participants', 'People in live rooms.', () => gauges.participants());
  gauge('sigma_sockets', 'Connections of the real-time channel.', () => gauges.sockets());
  gauge('sigma_database_connections_open', 'Connections to the database.', () => gauges.database().open);
  gauge('sigma_database_connections_idle', 'Those that nobody uses.', () => gauges.database().idle);
  gauge('sigma_database_requests_waiting', 'Who waits for one.', () => gauges.database().waiting);
  if (diskFree) gauge('sigma_disk_free_bytes', 'What may still be written to DATA_DIR.', diskFree);
  gauge('sigma_recordings', 'Recordings that are kept.', async () => (await gauges.recordings()).count);
  gauge('sigma_recordings_bytes', 'Bytes of them.', async () => (await gauges.recordings()).bytes);
  const { events } = gauges;
  if (events) showEvents(events, registry);
}

function showEvents(events: NonNullable<Gauges['events']>, registry: Registry): void {
  const bySubscriber = (name: string, help: string, field: 'unread' | 'oldestSeconds') => {
    const shown: Gauge<'subscriber'> = new Gauge({
      name,
      help,
      labelNames: ['subscriber'],
      registers: [registry],
      async collect() {
        shown.reset();
        const lags = await events().catch(() => []);
        for (const lag of lags) shown.set({ subscriber: value(lag.subscriber) }, lag[field]);
      },
    });
  };
  bySubscriber('sigma_events_unread', 'Events that a subscriber has not read.', 'unread');
  bySubscriber('sigma_events_oldest_unread_seconds', 'Age of the oldest of them.', 'oldestSeconds');
}
