import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const web = fileURLToPath(new URL('./web/src', import.meta.url));
/** Files that replace modules for themselves: whoever shared their modules would get the replacements, too. */
const replacingModules = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .filter((path) => /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(`${web}/${path}`, 'utf8')))
  .map((path) => `web/src/${path.replaceAll('\\', '/')}`);

/** A loaded machine is slow, not wrong: these only end what would never end. */
const forever = { testTimeout: 180_000, hookTimeout: 180_000 };

const page = {
  extends: true as const,
  plugins: [react()],
  resolve: { alias: { '#web': web } },
};
const pageTest = { environment: 'happy-dom', setupFiles: ['web/src/test-setup.ts'], ...forever };

export default defineConfig({
  resolve: { conditions: ['sigma-source'] },
  ssr: { resolve: { conditions: ['sigma-source'] } },
  test: {
    // On two cores, too: while one waits for its threads, its disk or its clock, another computes.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['shared/**/*.test.ts', 'server/**/*.test.ts', 'tests/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          ...forever,
        },
      },
      {
        ...page,
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: replacingModules,
          // The setup clears what a test leaves behind, so that all of them can share one page and its modules.
          isolate: false,
          ...pageTest,
        },
      },
      { ...page, test: { name: 'web, isolated', include: replacingModules, ...pageTest } },
      {
        extends: true,
        test: {
          name: 'hearing',
          include: ['tests/speech/**/*.test.ts'],
          environment: 'node',
          // Sound goes by in real time here: beside one other of its kind, it has time enough.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...forever,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          environment: 'node',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...forever,
        },
      },
    ],
  },
});
