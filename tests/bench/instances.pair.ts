import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../scripts/lib/test-machine.js';
import { freePort } from '../support/free-port.ts';
import { type Program, startProgram } from '../support/programs.ts';
import { hasRedis, RedisServer } from '../support/redis-server.ts';
import { giveShare } from './cpu-share.ts';

/** An event during conversations. Resolves when it is over. */
export interface InstanceEvent {
  name: string;
  happens(): Promise<unknown>;
}

interface PairOptions {
  /** The folder of the speech weights; without it an instance has neither ears nor voice. */
  modelsDir: string | null;
  /** Each instance's share of a processor, like a machine of its own; without it they are not limited. */
  coresEach?: number;
  /** Further settings besides those of every instance here. */
  env?: NodeJS.ProcessEnv;
}

/** Only events with this in their name (EVENT=…). */
const EVENT = process.env.EVENT ?? '';
const AWAY_MS = 20_000;
const STOPS_WITHIN_MS = 25_000;

/** Two instances on one PostgreSQL and one Redis server, all on this machine, and events for them. */
export class InstancePair {
  readonly urls: readonly string[];
  readonly #scratch: string;
  readonly #options: PairOptions;
  readonly #databaseUrl: string;
  readonly #postgres: { stop: () => Promise<void>; restart: (() => Promise<void>) | null };
  readonly #redis: RedisServer;
  readonly #running: Program[] = [];
  readonly #shares: (() => void)[] = [];

  private constructor(
    around: { scratch: string; ports: readonly number[]; databaseUrl: string; redis: RedisServer },
    postgres: { stop: () => Promise<void>; restart: (() => Promise<void>) | null },
    options: PairOptions,
  ) {
    this.urls = around.ports.map((port) => `http://127.0.0.1:${port}`);
    this.#scratch = around.scratch;
    this.#databaseUrl = around.databaseUrl;
    this.#redis = around.redis;
    this.#postgres = postgres;
    this.#options = options;
  }

  /** @returns null if a server is missing, which is printed */
  static async start(options: PairOptions): Promise<InstancePair | null> {
    if (!hasRedis) return leftOut('there is no Redis or Valkey server on this machine');
    const scratch = mkdtempSync(join(tmpdir(), 'sigma-instances-'));
    const postgres = await startPostgres(scratch);
    if (!postgres.url) return leftOut('there is no PostgreSQL server on this machine');
    const redis = await RedisServer.start();
    const ports = await Promise.all([freePort(), freePort()]);
    const pair = new InstancePair({ scratch, ports, databaseUrl: postgres.url, redis }, postgres, options);
    try {
      for (const n of ports.keys()) await pair.#start(n);
      return pair;
    } catch (error) {
      await pair.end();
      throw error;
    }
  }

  /** Events of instances and of their shared services, one after another. */
  get events(): readonly InstanceEvent[] {
    return [
      { name: 'nothing happens', happens: async () => {} },
      {
        name: 'one instance is killed, and started again',
        happens: () => this.#kill(0, 'SIGKILL').then(() => this.#start(0)),
      },
      {
        name: 'Redis is away for 20 s, and comes back empty',
        happens: async () => {
          await this.#redis.kill();
          await pause(AWAY_MS);
          await this.#redis.again();
        },
      },
      { name: 'PostgreSQL is restarted', happens: async () => this.#postgres.restart?.() },
      {
        name: 'both instances are upgraded, one after the other',
        happens: async () => {
          for (const n of this.urls.keys()) {
            await this.#kill(n, 'SIGTERM');
            await this.#start(n);
          }
        },
      },
    ];
  }

  async end(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((n) => this.#kill(n, 'SIGKILL')));
    await this.#redis.kill();
    await this.#postgres.stop();
    await rm(this.#scratch, { recursive: true, force: true });
    for (const takeBack of this.#shares) takeBack();
  }

  /** Before it has started any process, so that its children are within its share. */
  #share(pid: number | undefined): void {
    const { coresEach } = this.#options;
    if (!coresEach || pid === undefined) return;
    const takeBack = giveShare(pid, coresEach);
    if (!takeBack)
      throw new Error('The processors of this machine cannot be shared out: control groups, as root.');
    this.#shares.push(takeBack);
  }

  async #start(n: number): Promise<void> {
    const url = this.urls[n] ?? '';
    const { modelsDir, env } = this.#options;
    const program = startProgram('server/app/main.ts', [], {
      PORT: new URL(url).port,
      HOST: '127.0.0.1',
      HOME: this.#scratch,
      DATA_DIR: join(this.#scratch, `instance-${n}`),
      MODELS_DIR: modelsDir ?? join(this.#scratch, 'no-voice'),
      DATABASE_URL: this.#databaseUrl,
      REDIS_URL: this.#redis.url,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'fatal',
      npm_config_registry: 'http://127.0.0.1:9/',
      ...env,
    });
    this.#running[n] = program;
    this.#share(program.child.pid);
    await program.until(({ stdout }) => stdout.includes('Sigma is ready'));
    const ready = `${url}/ready${modelsDir === null ? '?for=text' : ''}`;
    while ((await fetch(ready).catch(() => null))?.status !== 200) await pause(100);
  }

  async #kill(n: number, signal: NodeJS.Signals): Promise<void> {
    const program = this.#running[n];
    program?.child.kill(signal);
    await Promise.race([program?.ended, pause(STOPS_WITHIN_MS, undefined, { ref: false })]);
  }
}

function leftOut(why: string): null {
  console.log(`Left out: ${why}.`);
  return null;
}

/** The selected events. */
export const wanted = (events: readonly InstanceEvent[]): readonly InstanceEvent[] =>
  events.filter(({ name }) => name.includes(EVENT));

/** The weights of MODELS_DIR, or of this folder; null if missing, which is printed. */
export function modelsOrNothing(): string | null {
  const modelsDir = resolve(process.env.MODELS_DIR ?? 'models');
  if (['hearing', 'piper'].every((name) => existsSync(join(modelsDir, name)))) return modelsDir;
  console.log('Nobody speaks: MODELS_DIR has no ears and no voice.');
  return null;
}
