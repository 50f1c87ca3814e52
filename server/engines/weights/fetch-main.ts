import { readConfig } from '#server/settings/config';
import { withholdSecrets } from '#server/settings/in-environment';
import { fetchAllWeights } from './fetch-all.ts';

// Run by hand or before the tests: fetches everything into MODELS_DIR before it is needed.
try {
  const { modelsDir } = readConfig();
  withholdSecrets();
  await fetchAllWeights(modelsDir, process.stdout);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
