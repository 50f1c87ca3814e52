import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Logger } from 'pino';
import { type KeptThread, keepThread } from '#server/engines/kept-thread';
import type { Fetchers, Weights } from '#server/engines/weights/contract';
import { EngineError } from '#server/lib/engine-error';
import type { OwnModelSettings } from '#server/settings/config';
import { listedModels, llamaBuilds, type OwnModelChoice } from '#server/settings/own-models';
import type { OwnModels as OwnModelsHere } from '#shared/engine-settings';
import type { EngineStatus } from '#shared/status';
import { bundleOf, bundlesOf } from './bundles.ts';
import { LlamaProcess, type LlamaServer } from './llama-process.ts';
import { expectedOn, type Machine, memoryOf, thisMachine, threadsOn } from './machine.ts';

interface OwnModelsOptions {
  /** Absolute path of MODELS_DIR. */
  modelsDir: string;
  fetchers: Fetchers;
  logger?: Pick<Logger, 'info' | 'warn'>;
  /** For tests. */
  machine?: () => Machine;
  platform?: string;
  restartDelaysMs?: readonly number[];
}

/** A model that runs here or is being prepared. */
export interface OwnModel {
  status(): EngineStatus;
  /** Its current address. @throws EngineError with its status sentence while it is not ready */
  current(): LlamaServer;
  /** Reports success: the next crash counts as the first one. */
  worked(): void;
}

/** Long delays: loading gigabytes again and again helps nothing. */
const RESTART_DELAYS_MS = [1_000, 5_000, 30_000, 120_000];

interface Running {
  model: OwnModel;
  users: number;
  close(): Promise<void>;
}

/**
 * The language models on this machine. Each runs once, however many use it, and as long as one does. Its file
 * and llama.cpp are fetched first if missing.
 */
export class OwnModels {
  readonly #options: OwnModelsOptions;
  readonly #running = new Map<string, Running>();
  /** Processes that are ending: the next model's memory check must not count memory they still hold. */
  readonly #ending = new Set<Promise<void>>();

  constructor(options: OwnModelsOptions) {
    this.#options = options;
  }

  /** Uses a model until `release` is called; the first use fetches and starts it. */
  use(settings: OwnModelSettings): { model: OwnModel; release(): void } {
    const key = keyOf(settings);
    const running = this.#running.get(key) ?? this.#start(settings);
    this.#running.set(key, running);
    running.users++;
    let isReleased = false;
    return {
      model: running.model,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        if (--running.users > 0) return;
        this.#running.delete(key);
        const ending = running.close().finally(() => this.#ending.delete(ending));
        this.#ending.add(ending);
      },
    };
  }

  /** The model if it is in use, else null. */
  inUse(settings: OwnModelSettings): OwnModel | null {
    return this.#running.get(keyOf(settings))?.model ?? null;
  }

  /** Models this machine can run: the list, and files in MODELS_DIR/language. */
  async offers(): Promise<OwnModelsHere> {
    const machine = this.#machine();
    const { modelsDir } = this.#options;
    const listed = await Promise.all(
      listedModels.map(async (model) => ({
        id: model.id,
        name: model.name,
        about: model.about,
        license: model.license,
        bytes: model.bytes,
        memory: memoryOf(model),
        isHere: await this.#isHere({ kind: 'listed', model }),
        // The macOS build computes on the GPU, for which there are no measurements.
        ...(this.#platform.startsWith('darwin-arm') ? {} : { expected: expectedOn(machine, model) }),
      })),
    );
    const files = await modelFilesIn(join(modelsDir, 'language'));
    const others = files.map(({ name, bytes }) => ({
      id: name,
      name: name.replace(/\.gguf$/i, ''),
      bytes,
      memory: memoryOf({ bytes }),
      isHere: true,
    }));
    return {
      cores: machine.cores,
      memory: machine.memory,
      canRun: this.#platform in llamaBuilds,
      models: [...listed, ...others],
    };
  }

  async close(): Promise<void> {
    const all = [...this.#running.values()];
    this.#running.clear();
    await Promise.all([...all.map((one) => one.close()), ...this.#ending]);
  }

  async #isHere(choice: OwnModelChoice): Promise<boolean> {
    const bundle = bundleOf(choice);
    return bundle !== null && this.#options.fetchers.has(bundle);
  }

  get #platform(): string {
    return this.#options.platform ?? `${process.platform}-${process.arch}`;
  }

  get #machine(): () => Machine {
    return this.#options.machine ?? thisMachine;
  }

  #start(settings: OwnModelSettings): Running {
    const { logger, fetchers, modelsDir, restartDelaysMs = RESTART_DELAYS_MS } = this.#options;
    const { llama, model, program, file } = bundlesOf(settings, modelsDir, this.#platform);
    const needed = [llama, model].filter((bundle) => bundle !== null);
    const fetcher = fetchers.open(Object.fromEntries(needed.map((bundle) => [bundle.folder, bundle])));
    const { model: name } = settings;
    const isRunnable = settings.server !== null || llama !== null;
    const kept: KeptThread<RunningLlama> = keepThread({
      weights: allOf(
        fetcher,
        needed.map(({ folder }) => folder),
        isRunnable,
      ),
      bundle: 'own model',
      start: (onExit) => new RunningLlama(onExit),
      load: async (llama) => {
        await Promise.all(this.#ending);
        const bytes = await sizeOf(file);
        const memory =
          settings.choice.kind === 'listed' ? memoryOf(settings.choice.model) : memoryOf({ bytes });
        const machine = this.#machine();
        if (memory > machine.freeMemory) throw tooLittleMemory(name, memory, machine);
        await llama.begin(program, { file, name, threads: threadsOn(machine.cores) });
      },
      sentences: {
        loading: `${name} is being loaded.`,
        ready: `${name} answers.`,
        restarting: `${name} stopped by itself and is started again.`,
        loadFailed: `${name} could not be loaded; it is tried again.`,
        off: `${name} is off.`,
      },
      logger,
      restartDelaysMs,
    });
    return {
      users: 0,
      model: {
        status: () => kept.status(),
        current: () => kept.current().server(),
        worked: () => kept.worked(),
      },
      async close() {
        await fetcher.close();
        await kept.close();
      },
    };
  }
}

/** Identifies a process; how strictly the file is verified does not matter for it. */
const keyOf = ({ choice, sha256, source, server }: OwnModelSettings) =>
  JSON.stringify([choice.kind === 'listed' ? choice.model.id : choice, sha256, source, server]);

class RunningLlama extends LlamaProcess {
  #server: LlamaServer | null = null;

  async begin(program: string, model: Parameters<LlamaProcess['load']>[1]): Promise<void> {
    this.#server = await this.load(program, model);
  }

  server(): LlamaServer {
    if (!this.#server) throw new EngineError('The model is being loaded.', { retryable: true });
    return this.#server;
  }
}

/** Fetches the program first, since it is small, then the model. */
function allOf(fetcher: Weights<string>, names: readonly string[], isRunnable: boolean) {
  return {
    status: (): EngineStatus => {
      const statuses = names.map((name) => fetcher.status(name));
      return statuses.find(({ state }) => state !== 'ready') ?? { state: 'ready', message: 'It is here.' };
    },
    async ensure(_bundle: string, signal?: AbortSignal): Promise<string> {
      if (!isRunnable) throw notBuilt();
      for (const name of names) await fetcher.ensure(name, signal);
      return '';
    },
  };
}

const notBuilt = () =>
  new EngineError(
    'llama.cpp is not built for this platform: name a llama-server of your own (LLM_OWN_SERVER).',
    { retryable: false },
  );

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    throw new EngineError('The model’s file is not there.', { retryable: true });
  }
}

function tooLittleMemory(name: string, needed: number, { freeMemory }: Machine): EngineError {
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  return new EngineError(
    `${name} needs ${gigabytes(needed)} GB of memory, and ${gigabytes(freeMemory)} GB are free on this machine: choose a smaller one.`,
    { retryable: true },
  );
}

const MAX_FILES = 50;

async function modelFilesIn(dir: string): Promise<{ name: string; bytes: number }[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => /\.gguf$/i.test(name)).sort();
  const sizes = names.slice(0, MAX_FILES).map(async (name) => ({
    name,
    bytes: await stat(join(dir, name)).then((info) => (info.isFile() ? info.size : 0)),
  }));
  return (await Promise.all(sizes)).filter(({ bytes }) => bytes > 0);
}
