import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';

/*
 * The process between the server and llama.cpp. llama.cpp cannot notice that the server has gone; this
 * process notices it by its closed pipe and ends llama.cpp. Otherwise it only passes lines on.
 */

export interface HostOrder {
  program: string;
  args: readonly string[];
}
export type HostNews =
  | { kind: 'begun'; pid: number }
  | { kind: 'line'; text: string }
  /** `why`: set if it could not be started. */
  | { kind: 'ended'; why: string | null };

let child: ChildProcess | null = null;

const tell = (news: HostNews) => process.send?.(news, undefined, undefined, () => {});
const die = () => {
  child?.kill('SIGKILL');
  process.exit(0);
};

process.on('message', ({ program, args }: HostOrder) => {
  // Own process group: a signal from the terminal is meant for the server only, which still has calls to
  // finish.
  child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, windowsHide: true });
  for (const output of [child.stdout, child.stderr])
    if (output)
      createInterface(output).on('line', (text) => tell({ kind: 'line', text: text.slice(0, 2_000) }));
  child.once('spawn', () => child?.pid && tell({ kind: 'begun', pid: child.pid }));
  child.once('error', (error) =>
    tell({ kind: 'ended', why: 'code' in error ? String(error.code) : 'error' }),
  );
  child.once('exit', () => tell({ kind: 'ended', why: null }));
});
process.on('disconnect', die);
if (!process.connected) die();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
