import { type Bundle, bundleBytes, bundles } from './bundles.ts';
import type { BundleName } from './contract.ts';
import { createWeights } from './index.ts';

const BAR_WIDTH = 30;
const ATTEMPTS = 4;

const isBundle = (name: string): name is BundleName => name in bundles;

/**
 * Fetches every bundle into `modelsDir` and draws a bar per step on a terminal, one line each otherwise.
 * @throws EngineError with one sentence when a bundle does not come
 */
export async function fetchAllWeights(
  modelsDir: string,
  output: { isTTY?: boolean; write: (text: string) => unknown },
  names: readonly BundleName[] = Object.keys(bundles).filter(isBundle),
): Promise<void> {
  const weights = createWeights({ modelsDir, attempts: ATTEMPTS });
  const stop = weights.onProgress((name, status) => {
    if (output.isTTY && names.includes(name)) output.write(`\r${line(bundles[name], status.progress ?? 0)}`);
  });
  try {
    for (const name of names) {
      await weights.ensure(name);
      output.write(`${output.isTTY ? '\r' : ''}${line(bundles[name], 1)}\n`);
    }
  } finally {
    stop();
    await weights.close();
  }
}

function line(bundle: Bundle, share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const megabytes = Math.round(bundleBytes(bundle) / 1_000_000);
  return `${bundle.label.padEnd(22)} ${bar} ${String(Math.round(share * 100)).padStart(3)} % of ${megabytes} MB`;
}
