import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EngineError } from '#server/lib/engine-error';
import { environmentOfEngines } from '#server/lib/environment';
import { timeLimit, untilAborted, within } from '#server/lib/wait';
import { forkFlags } from '#server/threads/fork-flags';
import type { HostNews, HostOrder } from './llama-host.ts';
import { CONTEXT_TOKENS } from './machine.ts';

/** Address and key of the server: new for each process. */
export interface LlamaServer {
  url: string;
  key: string;
}

/** Longest time to load: many gigabytes on a slow disk. */
const LOAD_MS = 15 * 60_000;
const LOOK_MS = 200;
/** Interval of health checks, time for each answer, and how many may fail in a row. */
const WELL_EACH_MS = 15_000;
const WELL_WAIT_MS = 10_000;
const MAX_UNWELL = 3;
/** Requests answered at once; further ones wait. */
const SLOTS = 2;
/** Last lines of output to keep: they say why it ended. */
const KEPT_LINES = 40;
/** Time the system needs to release gigabytes. */
const GONE_MS = 5_000;

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const HOST = fileURLToPath(new URL(`./llama-host.${extension}`, import.meta.url));

const running = new Set<LlamaProcess>();
process.on('exit', () => {
  for (const one of running) one.kill();
});

/**
 * llama.cpp's server with one model, in a process of its own that ends with this one, even after a crash. It
 * listens on loopback only, at a port chosen by the system, and requires a key. The key is in a file that
 * only this user can read, deleted once read. Its environment holds no settings, so no secrets.
 */
export class LlamaProcess {
  readonly #onExit: (error: Error | null) => void;
  readonly #lines: string[] = [];
  readonly #over = new AbortController();
  #host: ChildProcess | null = null;
  #pid: number | null = null;
  #url: string | null = null;
  #hasLoaded = false;
  /** `finish` was called. */
  #isOff = false;
  #tellGone = () => {};
  readonly #gone = new Promise<void>((resolve) => {
    this.#tellGone = resolve;
  });

  /** @param onExit called once if it ends after loading; before that, `load` rejects */
  constructor(onExit: (error: Error | null) => void) {
    this.#onExit = onExit;
  }

  /**
   * Starts the process and waits until the model is loaded.
   * @throws EngineError with a sentence for owners; `retryable` if a later try may succeed
   */
  async load(program: string, model: { file: string; name: string; threads: number }): Promise<LlamaServer> {
    const key = randomBytes(32).toString('base64url');
    const dir = await mkdtemp(join(tmpdir(), 'sigma-llama-'));
    try {
      const keyFile = join(dir, 'key');
      await writeFile(keyFile, `${key}\n`, { mode: 0o600 });
      this.#begin({ program, args: argumentsFor(model, keyFile) });
      const url = await this.#loaded(timeLimit(LOAD_MS));
      this.#hasLoaded = true;
      void this.#watch(url).catch(() => {});
      return { url, key };
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }

  /** Ends it at once and waits until its memory is released. */
  async finish(): Promise<void> {
    this.#isOff = true;
    if (this.#pid !== null) {
      killed(this.#pid);
      await within(GONE_MS, this.#gone);
    }
    this.#ended(null);
  }

  kill(): void {
    if (this.#pid !== null) killed(this.#pid);
    this.#host?.kill('SIGKILL');
  }

  #begin(order: HostOrder): void {
    this.#over.signal.throwIfAborted();
    running.add(this);
    const env = Object.fromEntries(
      // A proxy's address may hold its password, and nothing here uses a proxy.
      Object.entries(environmentOfEngines()).filter(([name]) => !/_PROXY$/i.test(name)),
    );
    this.#host = fork(HOST, [], {
      execArgv: [...forkFlags],
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#host.on('message', (news: HostNews) => this.#hear(news));
    this.#host.on('error', (error) => this.#ended(error));
    this.#host.on('exit', () => this.#ended(new Error('The process beside llama.cpp ended.')));
    this.#host.send(order, () => {});
  }

  #hear(news: HostNews): void {
    if (news.kind === 'begun') {
      this.#pid = news.pid;
      if (this.#isOff) this.kill();
      return;
    }
    if (news.kind === 'ended') {
      this.#pid = null;
      this.#tellGone();
      this.#ended(this.#isOff ? null : news.why ? cannotRun(news.why) : whyIn(this.#lines));
      return;
    }
    this.#lines.push(news.text);
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    this.#url ??= /\blistening on (http:\/\/127\.0\.0\.1:\d+)/.exec(news.text)?.[1] ?? null;
  }

  async #loaded(limit: AbortSignal): Promise<string> {
    const ends = AbortSignal.any([limit, this.#over.signal]);
    try {
      while (!this.#url || !(await isWell(this.#url, ends)))
        await delay(LOOK_MS, undefined, { signal: ends });
      return this.#url;
    } catch (error) {
      if (this.#over.signal.aborted) throw this.#over.signal.reason;
      if (!limit.aborted) throw error;
      throw new EngineError('llama.cpp took too long to load the model.', { retryable: true });
    }
  }

  /** Ends a process that no longer answers, so that another is started. */
  async #watch(url: string): Promise<void> {
    let unwell = 0;
    while (unwell < MAX_UNWELL) {
      await delay(WELL_EACH_MS, undefined, { signal: this.#over.signal, ref: false });
      unwell = (await isWell(url, timeLimit(WELL_WAIT_MS)).catch(() => false)) ? 0 : unwell + 1;
    }
    this.kill();
  }

  #ended(error: Error | null): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort(error ?? new EngineError('The model on this machine is off.', { retryable: true }));
    running.delete(this);
    this.kill();
    if (this.#hasLoaded) this.#onExit(error);
  }
}

const argumentsFor = (
  { file, name, threads }: { file: string; name: string; threads: number },
  keyFile: string,
) => [
  ...['--model', file, '--alias', name],
  ...['--host', '127.0.0.1', '--port', '0', '--api-key-file', keyFile],
  ...['--ctx-size', String(CONTEXT_TOKENS), '--parallel', String(SLOTS), '--kv-unified'],
  ...['--threads', String(threads), '--reasoning-budget', '0'],
  ...['--jinja', '--offline', '--no-slots', '--no-webui'],
];

async function isWell(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await untilAborted(fetch(`${url}/health`, { redirect: 'error', signal }), signal);
    await response.body?.cancel();
    return response.ok;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

const cannotRun = (why: string) =>
  new EngineError(
    why === 'ENOENT' || why === 'EACCES'
      ? 'llama.cpp cannot be started: its program is not there, or may not be run.'
      : 'llama.cpp cannot be started on this machine.',
    { retryable: true },
  );

/** The reason in its last lines, for owners. The lines themselves name paths. */
function whyIn(lines: readonly string[]): EngineError {
  const said = lines.join('\n');
  const [sentence] = complaints.find(([, pattern]) => pattern.test(said)) ?? [
    'llama.cpp stopped by itself and is started again.',
  ];
  return new EngineError(sentence, { retryable: true });
}

const complaints: readonly [string, RegExp][] = [
  [
    'llama.cpp does not run on this machine: its libraries are too old. Name a llama-server of your own (LLM_OWN_SERVER).',
    /GLIBC\w{0,20}_[\d.]{1,20}' not found|error while loading shared libraries|Library not loaded/,
  ],
  [
    'This machine has too little memory for the model: choose a smaller one.',
    /failed to allocate|unable to allocate|out of memory|cannot allocate memory|bad_alloc/i,
  ],
  [
    'llama.cpp cannot read the model’s file: it is damaged, not whole, or of a kind that it does not know.',
    /invalid magic|not within the file bounds|corrupted or incomplete|failed to (?:read|load) (?:model|magic|tensor|header|key)|error loading model|unknown model architecture/i,
  ],
];

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
