import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Program {
  child: ChildProcess;
  output(): { stdout: string; stderr: string };
  /** Resolves with its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** Resolves once its output matches; rejects with the output if it ends before. */
  until(fits: (output: { stdout: string; stderr: string }) => boolean): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** If the product was built before its tests, as by `npm test`, the server runs from the build. */
const isBuilt = process.env.SIGMA_TEST_BUILT !== undefined;

/**
 * Runs one of our TypeScript programs in a process of its own. @param file path from the repository's root
 */
export function startProgram(file: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Program {
  const program =
    isBuilt && file.startsWith('server/')
      ? [`dist/${file.replace(/\.ts$/, '.js')}`]
      : ['--conditions=sigma-source', '--import', 'tsx', file];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, TMPDIR: process.env.TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const output = () => ({ stdout, stderr });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  return {
    child,
    output,
    ended,
    until(fits) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (fits(output())) resolve();
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        look();
        void ended.then((how) => reject(new Error(`${file} ended (${how}): ${stdout}\n${stderr}`)));
      });
    },
  };
}
