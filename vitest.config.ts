import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));
const web = `${root}web/src`;
const testsIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.tsx?$/.test(path))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
/** Whether a file replaces modules for itself: whoever shared its modules would get the replacements, too. */
const replacesModules = (path: string) =>
  /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(root + path, 'utf8'));
const pageAlone = testsIn('web/src').filter(replacesModules);
/**
 * They leave a process as they found it, so that one process and its modules serve many of them. Those of rooms are a suite of
 * their own, and keep a process each: native clients live in them.
 */
const together = testsIn('shared', 'server').filter(
  (path) => !replacesModules(path) && !path.startsWith('server/engines/rooms/'),
);

/** Files that take long, the longest first. */
const LONGEST = [
  'tests/e2e/speaking',
  'tests/speech/live-room',
  'tests/e2e/live-call',
  'tests/e2e/first-call',
  'server/app/every-role',
  'tests/e2e/conversations',
  'server/dialogue/respond',
  'server/dialogue/knowledge/library',
  'server/engines/rooms/embedded/bad-input',
  'server/app/every-route',
  'server/engines/rooms/rooms',
  'server/features/accounts/recovery/recovery',
].map((name) => `${name}.test.ts`);

/** No worker is left with a long file at the end, while the others have nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

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
    maxWorkers: Number(process.env.SIGMA_TEST_WORKERS ?? Math.max(2, availableParallelism() - 1)),
    expect: { poll: { timeout: 120_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'server, together',
          include: together,
          isolate: false,
          setupFiles: ['tests/support/leave-as-found.ts'],
          environment: 'node',
          ...forever,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: [...testsIn('server', 'scripts'), 'tests/*.test.ts'].filter(
            (path) => !together.includes(path),
          ),
          environment: 'node',
          ...forever,
        },
      },
      {
        ...page,
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          exclude: pageAlone,
          // The setup clears what a test leaves behind, so that all of them can share one page and its modules.
          isolate: false,
          ...pageTest,
        },
      },
      { ...page, test: { name: 'web, isolated', include: pageAlone, ...pageTest } },
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
