import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const program =
  [process.env.SIGMA_TEST_CLAMD, '/usr/sbin/clamd', '/usr/local/sbin/clamd', '/opt/homebrew/sbin/clamd'].find(
    (path) => path && existsSync(path),
  ) ?? null;
/** Whether a ClamAV daemon can be started; `npm run test:all` says why not. */
export const hasClamd = program !== null;

/**
 * The harmless test text that every scanner detects (eicar.org), assembled here because scanners remove files
 * that contain it.
 */
export const eicar = () =>
  Buffer.from(
    ['X5O!P%@AP[4', '\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD', '-ANTIVIRUS-TEST', '-FILE!$H+H*'].join(''),
  );

/** A test's own ClamAV daemon on this machine, with one signature: that of `eicar`. */
export class RealClamd {
  readonly address: { host: string; port: number };
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(port: number, folder: string, started: ChildProcess) {
    this.address = { host: '127.0.0.1', port };
    this.#folder = folder;
    this.#process = started;
  }

  /** @param options as in clamd.conf(5) */
  static async start(options: Record<string, string> = {}): Promise<RealClamd> {
    if (program === null) throw new Error('There is no ClamAV daemon to start.');
    const folder = await mkdtemp(join(tmpdir(), 'sigma-clamd-'));
    const port = await freePort();
    const signatures = join(folder, 'signatures');
    await mkdir(signatures);
    await writeFile(
      join(signatures, 'own.ndb'),
      // Any kind of file, at any offset.
      `Eicar-Test-Signature:0:*:${eicar().toString('hex')}\n`,
    );
    const all = {
      Foreground: 'yes',
      TCPAddr: '127.0.0.1',
      TCPSocket: `${port}`,
      DatabaseDirectory: signatures,
      TemporaryDirectory: folder,
      User: userInfo().username,
      ...options,
    };
    const file = join(folder, 'clamd.conf');
    await writeFile(
      file,
      Object.entries(all)
        .map(([name, value]) => `${name} ${value}\n`)
        .join(''),
    );
    const started = spawn(program, ['--config-file', file], { stdio: 'ignore' });
    const clamd = new RealClamd(port, folder, started);
    // A failing test may not reach its cleanup.
    const end = () => started.kill('SIGKILL');
    process.once('exit', end);
    started.once('exit', () => process.off('exit', end));
    while (!(await clamd.#answers())) {
      if (started.exitCode !== null) throw new Error(`ClamAV ended at port ${port}.`);
      await pause(50);
    }
    return clamd;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    const socket = connect(this.address);
    try {
      await once(socket, 'connect');
      socket.write('zPING\0');
      await once(socket, 'data');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}
