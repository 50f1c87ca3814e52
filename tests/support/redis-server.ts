import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const program =
  [process.env.SIGMA_TEST_REDIS, '/usr/bin/redis-server', '/usr/bin/valkey-server'].find(
    (path) => path && existsSync(path),
  ) ?? null;
/** Whether a Redis or Valkey server can be started; `npm test` says why not. */
export const hasRedis = program !== null;

/** A test's own Redis or Valkey server on this machine, without persistence. */
export class RedisServer {
  readonly port: number;
  #options: readonly string[];
  #process: ChildProcess | null = null;

  private constructor(port: number, options: readonly string[]) {
    this.port = port;
    this.#options = options;
  }

  /** @param options command-line options, such as `--requirepass secret` */
  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), options);
    await server.again();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Restarts it on the same port, empty. @param others replace the options */
  async again(...others: string[]): Promise<void> {
    if (others.length > 0) this.#options = others;
    if (program === null) throw new Error('There is no Redis or Valkey server to start.');
    const options = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()];
    const started = spawn(program, [...options, ...this.#options], { stdio: 'ignore' });
    this.#process = started;
    // A failing test may not reach its cleanup.
    const end = () => started.kill('SIGKILL');
    process.once('exit', end);
    started.once('exit', () => process.off('exit', end));
    while (!(await this.#answers())) {
      if (started.exitCode !== null) throw new Error(`Redis ended at port ${this.port}.`);
      await pause(20);
    }
  }

  /** Suspends it, like an overloaded machine, until `goOn`. */
  hang(): void {
    this.#process?.kill('SIGSTOP');
  }

  goOn(): void {
    this.#process?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (!running || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  async #answers(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      socket.write('PING\r\n');
      await once(socket, 'data');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}
