import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * Starts the parts of the server one after another in their own process, native engines in another, and prints each
 * part's additional memory. Linux only.
 */
export async function benchMemory(): Promise<void> {
  const steps = spawn(process.execPath, [fileURLToPath(new URL('./memory.steps.js', import.meta.url))], {
    stdio: 'inherit',
  });
  const code = await new Promise((resolve, reject) => {
    steps.once('error', reject);
    steps.once('exit', resolve);
  });
  if (code !== 0) throw new Error('Not all of it could be measured; the lines above say why.');
}
