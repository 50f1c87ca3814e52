import { type ChildProcess, fork } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { EngineStatus } from '#shared/status';
import type { StepTimes } from './speaking.steps.ts';

/** Messages between the bench and its server. */
export type ToTurnServer = 'watch' | 'report' | 'steps' | 'close';
export type ToTurnBench =
  | { kind: 'ready'; url: string; voice: EngineStatus; ears: EngineStatus }
  | ({ kind: 'steps' } & StepTimes)
  | { kind: 'event-loop'; p50Ms: number; p99Ms: number; maxMs: number };

export interface TurnServer {
  url: string;
  ears: EngineStatus;
  tell(message: ToTurnServer): void;
  eventLoop(): Promise<{ p50Ms: number; p99Ms: number; maxMs: number }>;
  /** The measurements since the last call. */
  steps(): Promise<StepTimes>;
  close(): Promise<void>;
}

/** Sent to the server: no dialogue, each reply is one immediate sentence. */
export const FIXED_ANSWER = 'fixed-answer';

interface TurnServerOptions {
  isAnswerFixed?: boolean;
  /** Besides the settings of this process, above all MODELS_DIR. */
  env?: NodeJS.ProcessEnv;
}

export async function startServer({
  isAnswerFixed = false,
  env = {},
}: TurnServerOptions = {}): Promise<TurnServer> {
  const program = fileURLToPath(new URL('./turn-server.ts', import.meta.url));
  const child = fork(program, isAnswerFixed ? [FIXED_ANSWER] : [], {
    env: { ...process.env, ...env },
    execArgv: ['--conditions=sigma-source', '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await answer(child, 'ready');
  if (ready.voice.state !== 'ready') {
    child.send('close' satisfies ToTurnServer);
    await exited;
    throw new Error(`The voice is not ready: ${ready.voice.message}`);
  }
  return {
    url: ready.url,
    ears: ready.ears,
    tell: (message) => void child.send(message),
    eventLoop() {
      const report = answer(child, 'event-loop');
      child.send('report' satisfies ToTurnServer);
      return report;
    },
    steps() {
      const report = answer(child, 'steps');
      child.send('steps' satisfies ToTurnServer);
      return report;
    },
    async close() {
      child.send('close' satisfies ToTurnServer);
      await exited;
    },
  };
}

type Answer<K extends ToTurnBench['kind']> = Extract<ToTurnBench, { kind: K }>;

function answer<K extends ToTurnBench['kind']>(child: ChildProcess, kind: K): Promise<Answer<K>> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The measured server ended early.'));
    const onMessage = (message: ToTurnBench) => {
      if (!isAnswer(message, kind)) return;
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(message);
    };
    child.once('exit', onExit);
    child.on('message', onMessage);
  });
}

const isAnswer = <K extends ToTurnBench['kind']>(message: ToTurnBench, kind: K): message is Answer<K> =>
  message.kind === kind;
