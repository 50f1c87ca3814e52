import { StartError } from '#server/lib/start-error';
import { type Config, readConfig } from '#server/settings/config';
import { withholdSecrets } from '#server/settings/in-environment';
import { createLogger, type Logger } from '#server/telemetry/logger';
import { endInOrder } from './lifecycle.ts';

/** The tools that a program gets at its start. */
interface Start {
  config: Config;
  logger: Logger;
  /** Registers the closing of an opened part, run at the end in reverse order. */
  onEnd(close: () => Promise<void>): void;
  /** Whether the program is already ending, so that the start may stop. */
  isEnding(): boolean;
  /** Ends the program from within. */
  end(exitCode: number): void;
}

/**
 * Runs a program until it is told to end. Closes its parts in reverse order of opening; a failed start prints its
 * reason in one sentence and exits with status 1.
 */
export function runProgram(start: (program: Start) => Promise<void>): void {
  const open: (() => Promise<void>)[] = [];
  let ending = false;

  async function closeAll(): Promise<void> {
    ending = true;
    for (const close of open.splice(0).reverse()) await close();
  }

  async function run(): Promise<void> {
    const config = readConfig();
    withholdSecrets();
    const logger = createLogger({ level: config.logLevel });
    const end = endInOrder(closeAll, logger);
    await start({ config, logger, onEnd: (close) => open.push(close), isEnding: () => ending, end });
  }

  run().catch(async (error: unknown) => {
    await closeAll().catch(() => {});
    process.stderr.write(`${startSentence(error)}\n`);
    process.exit(1);
  });
}

function startSentence(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return `Sigma could not start: ${error instanceof Error ? error.message : String(error)}`;
}
