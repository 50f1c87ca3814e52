import { bundleBytes, bundles } from './bundles.ts';
import type { Bundle, BundleName } from './contract.ts';
import { createWeights, type WeightsOptions } from './index.ts';

const BAR_WIDTH = 30;
const ATTEMPTS = 4;

const isBundle = (name: string): name is BundleName => name in bundles;

/**
 * Fetches every bundle into `modelsDir`. Shows progress bars on a terminal, one line each otherwise.
 * @throws EngineError with one sentence when a bundle cannot be fetched
 */
export async function fetchAllWeights(
  modelsDir: string,
  output: { isTTY?: boolean; write: (text: string) => unknown },
  options: Pick<WeightsOptions, 'table' | 'npm'> = {},
): Promise<void> {
  const table = options.table ?? bundles;
  const weights = createWeights({ modelsDir, attempts: ATTEMPTS, ...options });
  let current: BundleName | null = null;
  const stop = weights.onProgress((name, status) => {
    if (output.isTTY && name === current) output.write(`\r${line(table[name], status.progress ?? 0)}`);
  });
  try {
    for (const name of Object.keys(table).filter(isBundle)) {
      current = name;
      await weights.ensure(name);
      current = null;
      output.write(`${output.isTTY ? '\r' : ''}${line(table[name], 1)}\n`);
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
