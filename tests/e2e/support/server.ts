import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshDataDir } from '../../support/fresh-data-dir.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface RunningServer {
  /** Address from the ready line, without a trailing slash. */
  url: string;
  pid: number;
  dataDir: string;
  /**
   * Sends the signal and returns the exit code once the process is gone.
   * @param to `everybody`: the process and all its children, as a terminal does on Ctrl-C
   */
  stop(signal?: NodeJS.Signals, to?: 'it' | 'everybody'): Promise<number | null>;
}

/** No speech weights, and no registry to fetch them from: it answers in text, and starts faster. */
export const withoutSpeech = {
  MODELS_DIR: join(tmpdir(), 'sigma-no-models'),
  npm_config_registry: 'http://127.0.0.1:9/',
};

/**
 * Starts the product as a user does (`scripts/start.js`) on a free port, with an empty prepared database unless a data
 * directory is given.
 * @param options.node the Node.js binary to run it with
 * @param options.command another command than that, as `npm start`
 * @throws with all output of the process if it ends or stays silent before its ready line
 */
export async function startServer(
  options: { dataDir?: string; env?: NodeJS.ProcessEnv; node?: string; command?: string[] } = {},
): Promise<RunningServer> {
  const dataDir = options.dataDir ?? (await freshDataDir());
  const [program = '', ...args] = options.command ?? [options.node ?? process.execPath, 'scripts/start.js'];
  const child = spawn(program, args, {
    cwd: root,
    detached: options.command !== undefined,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      ...(process.env.SIGMA_TEST_MODELS ? { MODELS_DIR: process.env.SIGMA_TEST_MODELS } : {}),
      LOG_LEVEL: 'warn',
      ...options.env,
    },
  });
  const url = await readyLine(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    async stop(signal = 'SIGTERM', to = 'it') {
      if (child.exitCode === null && child.signalCode === null) {
        if (to === 'it') child.kill(signal);
        else process.kill(-(child.pid ?? 0), signal);
      }
      const code = await exited;
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`No ready line within 120 s. The server printed:\n${printed}`));
    }, 120_000);
    const look = (chunk: Buffer) => {
      printed += chunk.toString();
      const match = /Sigma is ready at (http:\/\/\S+)/.exec(printed);
      if (!match?.[1]) return;
      clearTimeout(timer);
      resolve(match[1].replace(/\/$/, ''));
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The server ended with code ${code} before it was ready. It printed:\n${printed}`));
    });
  });
}
