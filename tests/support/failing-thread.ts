import { WorkerStopped, type WorkerThread, type WorkerThreadOptions } from '#server/threads/worker-thread';

type Methods = Record<string, (args: never, signal: AbortSignal) => unknown>;

/** A simulated thread that answers as told and fails at one method. */
interface FailingThread {
  failure: 'hangs' | 'dies' | 'refuses' | null;
  at: string;
  /** Answers of the methods, including `at` if nothing fails. */
  answers: Record<string, unknown>;
}

/** @param onExit called as by `startWorkerThread`: a hanging thread counts as stopped */
export function failingThread<M extends Methods>(
  { failure, at, answers }: FailingThread,
  onExit: WorkerThreadOptions['onExit'],
): WorkerThread<M> {
  let isOver = false;
  const exit = (error: Error | null) => {
    if (!isOver) onExit?.(error);
    isOver = true;
  };
  return {
    async call(method) {
      if (isOver) throw new WorkerStopped('The worker stopped.');
      if (failure === null || method !== at) return answers[method] as never;
      if (failure === 'refuses') throw new Error('ONNX says no');
      const cause = new Error(failure === 'hangs' ? 'The worker hangs.' : 'out of memory');
      queueMicrotask(() => exit(cause));
      throw new WorkerStopped('The worker stopped.', { cause });
    },
    terminate: async () => exit(null),
    finish: async () => exit(null),
  };
}
