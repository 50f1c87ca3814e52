import { StartError } from '#server/lib/start-error';
import { type Config, readConfig } from '#server/settings/config';
import { withholdSecrets } from '#server/settings/in-environment';
import { createLogger, type Logger } from '#server/telemetry/logger';
import { endInOrder } from './lifecycle.ts';

/** What a program is given to start with. */
interface Start {
  config: Config;
  logger: Logger;
  /** Closes something that was opened when the program ends, before what was opened earlier. */
  onEnd(close: () => Promise<void>): void;
  /** Whether it ends already: what starts may stop there. */
  isEnding(): boolean;
  /** Ends it from within. */
  end(exitCode: number): void;
}

/**
 * Starts a program that runs until it is told to end. What it has open is closed in the other order than it was opened; a
 * start that fails says why in one sentence and ends with status 1.
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
