import process from 'node:process';
import { makePrivately } from '#server/app/private-directory';
import { StartError } from '#server/lib/start-error';

/** Runs a command: what it returns is printed; a StartError's sentence is, too, and the exit status is 1. What it makes is its owner's. */
export async function say(run: () => Promise<string>): Promise<void> {
  makePrivately();
  try {
    process.stdout.write(`${await run()}\n`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
