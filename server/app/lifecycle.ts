import type { Logger } from '#server/telemetry/logger';

/** Longer than draining calls and closing everything take together. */
const OVERDUE_MS = 20_000;
/** A Ctrl-C in a terminal reaches the server twice: directly and through npm. */
const SAME_SIGNAL_MS = 500;

/**
 * Ends the process in order, once, after a signal, an uncaught error or a lost database. A second signal ends it at
 * once.
 * @param close closes everything open; called once
 * @returns ends the process from within
 */
export function endInOrder(close: () => Promise<void>, logger: Logger): (exitCode: number) => void {
  let endingSince: number | null = null;

  function end(exitCode: number): void {
    if (endingSince !== null) return;
    endingSince = Date.now();
    setTimeout(() => {
      logger.error('closing took too long');
      process.exit(1);
    }, OVERDUE_MS).unref();
    close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        logger.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // A second signal from a closing terminal or parent is no request to hurry.
      const isImpatient =
        signal !== 'SIGHUP' && endingSince !== null && Date.now() - endingSince > SAME_SIGNAL_MS;
      if (isImpatient) process.exit(1);
      if (endingSince === null) logger.info({ signal }, 'closing');
      end(0);
    });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'error that nobody caught');
    end(1);
  });
  process.on('unhandledRejection', (reason) => {
    logger.error({ err: reason }, 'rejection that nobody handled');
  });
  // The reader of the ready line may have gone.
  process.stdout.on('error', () => {});
  return end;
}
