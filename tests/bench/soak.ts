import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AGENT_STATE_ATTRIBUTE, joinedRoomSchema } from '#shared/rooms';
import { type Clip, clipsOf } from '../speech/speech-set.ts';
import { RoomCustomer } from '../support/room-customers.ts';
import { figure, percentiles, share } from './figures.ts';
import { register } from './turn-latency.ts';

interface SoakOptions {
  /** 30 by default, or SOAK_MINUTES. */
  minutes?: number;
}

/** The server's own report: bytes, milliseconds of processor since its start, milliseconds since the last sample. */
export interface SoakSample {
  rss: number;
  heapUsed: number;
  external: number;
  cpuMs: number;
  delayP99Ms: number;
  delayMaxMs: number;
}

const PEOPLE = 4;
/** Growth until then is filling caches and pools; later growth is a leak. */
const SETTLED_AFTER_MINUTES = 5;
const START_MS = 180_000;
const ANSWER_BEGINS_WITHIN_MS = 6_000;
const ANSWER_LASTS_AT_MOST_MS = 30_000;
const BREATH_MS = 1_000;
/** Speech is received by then. */
const ARRIVES_WITHIN_MS = 1_500;

interface Said {
  speaker: string;
  clip: Clip;
  from: number;
  to: number;
}

/**
 * A long call: the whole product in its own process, four people (each in a process) and the agent in one room, who
 * take turns at a natural pace. Reports memory, event loop, presence and sound every minute, and growth and losses at
 * the end.
 */
export async function benchSoak(options: SoakOptions = {}): Promise<void> {
  const minutes = options.minutes ?? Number(process.env.SOAK_MINUTES ?? 30);
  const dataDir = await mkdtemp(join(tmpdir(), 'sigma-bench-soak-'));
  const port = Number(process.env.PORT ?? 20_000 + Math.floor(Math.random() * 20_000));
  const server = fork(fileURLToPath(new URL('./soak.server.ts', import.meta.url)), {
    execArgv: ['--conditions=sigma-source', '--import', 'tsx'],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const people: Person[] = [];
  try {
    const url = `http://127.0.0.1:${port}`;
    await isReady(url, server);
    for (let n = 0; n < PEOPLE; n++) people.push(await Person.join(url));
    await call(server, people, minutes);
  } finally {
    await Promise.all(people.map(({ customer }) => customer.leave()));
    if (server.exitCode === null) {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function isReady(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const answer = await fetch(`${url}/ready`).catch(() => null);
    if (answer?.ok) return;
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`The server is not ready: ${(await answer?.text()) ?? 'it ended, or does not answer'}`);
    await pause(200);
  }
}

async function call(server: ChildProcess, people: readonly Person[], minutes: number): Promise<void> {
  const startedAt = Date.now();
  const endsAt = startedAt + minutes * 60_000;
  const clips = clipsOf('sentence').filter(({ person }) => !person);
  const said: Said[] = [];
  const samples: SoakSample[] = [];
  let answers = 0;

  const sampling = (async () => {
    for (let minute = 1; minute <= minutes; minute++) {
      await pause(Math.max(0, startedAt + minute * 60_000 - Date.now()));
      const sample = await sampleOf(server);
      const before = samples.at(-1);
      samples.push(sample);
      const since = Date.now() - 60_000;
      const cpu = before ? `${((sample.cpuMs - before.cpuMs) / 600).toFixed(0)} %` : '–';
      console.log(
        `minute ${String(minute).padStart(2)}   memory ${mega(sample.rss)} MB (heap ${mega(sample.heapUsed)}, external ${mega(sample.external)})` +
          `   event loop p99 ${sample.delayP99Ms.toFixed(0)} ms, most ${sample.delayMaxMs.toFixed(0)} ms   processor ${cpu} of a core` +
          `   present ${people.map((person) => person.present()).join('/')}` +
          `   heard ${people.map((person) => Math.round(person.heardMs(since) / 1000)).join('/')} s` +
          `   load ${loadavg()[0]?.toFixed(1)}`,
      );
    }
  })();

  for (let n = 0; Date.now() < endsAt; n++) {
    const [person, clip] = [people[n % people.length], clips[n % clips.length]];
    if (!person || !clip) throw new Error('The speech set has no sentences.');
    const from = person.customer.events.length;
    const to = await person.customer.say(clip.id);
    said.push({ speaker: person.id, clip, from: to - clip.durationMs, to });
    if (await person.isAnswered(from)) answers++;
    await pause(BREATH_MS);
  }
  await sampling;
  await pause(ARRIVES_WITHIN_MS);
  tell(people, said, answers, samples);
}

function tell(
  people: readonly Person[],
  said: readonly Said[],
  answers: number,
  samples: SoakSample[],
): void {
  const agentMs = people.map((person) => Math.round(person.heardMs(0, 'agent-') / 1000));
  const parts = said.flatMap(({ speaker, clip, from, to }) =>
    people
      .filter(({ id }) => id !== speaker)
      .map((person) => person.heardMs(from, speaker, to + ARRIVES_WITHIN_MS) / (clip.endMs - clip.startMs)),
  );
  const lost = people.reduce((sum, person) => sum + person.lost(), 0);
  figure('sentences said, and answered by the agent', `${said.length}, ${answers}`);
  figure('participants lost', String(lost));
  figure('sentences a listener did not hear', share(parts.filter((part) => part === 0).length, parts.length));
  const sorted = [...parts].sort((a, b) => a - b);
  figure(
    'of a sentence, heard by a listener',
    `median ${percent(sorted[sorted.length >> 1])}, least ${percent(sorted[0])}`,
  );
  figure('the agent, heard by each', `${agentMs.join(' / ')} s`);
  const settled = samples[SETTLED_AFTER_MINUTES - 1];
  const last = samples.at(-1);
  if (settled && last && last !== settled)
    figure(
      `memory, minute ${SETTLED_AFTER_MINUTES} → the end`,
      `${mega(settled.rss)} → ${mega(last.rss)} MB (${percent(last.rss / settled.rss - 1)})`,
    );
  figure('event-loop delay, worst p99 of a minute', percentiles(samples.map(({ delayP99Ms }) => delayP99Ms)));
}

const mega = (bytes: number) => Math.round(bytes / 2 ** 20);
const percent = (part = 0) => `${(100 * part).toFixed(1)} %`;

async function sampleOf(server: ChildProcess): Promise<SoakSample> {
  const answer = once(server, 'message');
  server.send('sample');
  const [sample]: SoakSample[] = await answer;
  if (!sample) throw new Error('The server told nothing of itself.');
  return sample;
}

class Person {
  readonly customer: RoomCustomer;
  readonly id: string;

  private constructor(customer: RoomCustomer, id: string) {
    this.customer = customer;
    this.id = id;
  }

  static async join(url: string): Promise<Person> {
    const { token, user } = await register(url);
    const response = await fetch(`${url}/api/livekit/join-room`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ roomName: 'soak', participantName: '-', participantIdentity: user._id }),
    });
    const { wsUrl, participantToken } = joinedRoomSchema.parse(await response.json());
    const customer = new RoomCustomer(wsUrl, participantToken);
    await customer.notices('joined', () => true, { withinMs: 60_000 });
    return new Person(customer, user._id);
  }

  /** Waits for the agent to take the floor and to give it back. @returns whether it did */
  async isAnswered(from: number): Promise<boolean> {
    const { customer } = this;
    const begun = await customer
      .notices('sound', ({ isHeard, identity }) => isHeard && identity.startsWith('agent-'), {
        from,
        withinMs: ANSWER_BEGINS_WITHIN_MS,
      })
      .catch(() => null);
    if (!begun) return false;
    await customer
      .notices('attributes', ({ attributes }) => attributes[AGENT_STATE_ATTRIBUTE] === 'listening', {
        from: customer.events.indexOf(begun),
        withinMs: ANSWER_LASTS_AT_MOST_MS,
      })
      .catch(() => {});
    return true;
  }

  /** The number of other participants that this one sees. */
  present(): number {
    const { customer } = this;
    if (customer.all('out').length > 0) return 0;
    return (
      customer.all('joined').reduce((sum, { others }) => sum + others.length, 0) +
      customer.all('came').length -
      customer.all('went').length
    );
  }

  /** How often this one left the room, or missed a participant. */
  lost(): number {
    return this.customer.all('out').length + this.customer.all('went').length;
  }

  /** How long a participant, or any, was audible for this one; all in milliseconds. */
  heardMs(from: number, who = '', to = Date.now()): number {
    let sum = 0;
    const since = new Map<string, number>();
    const count = (identity: string, until: number) => {
      sum += Math.max(0, Math.min(until, to) - Math.max(since.get(identity) ?? until, from));
      since.delete(identity);
    };
    for (const { identity, isHeard, at } of this.customer.all('sound')) {
      if (!identity.startsWith(who)) continue;
      if (isHeard) since.set(identity, at);
      else count(identity, at);
    }
    for (const identity of [...since.keys()]) count(identity, to);
    return sum;
  }
}
