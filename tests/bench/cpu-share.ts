import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const PERIOD_US = 100_000;
const GROUPS = '/sys/fs/cgroup';

/**
 * Gives a process, with all that it starts, a share of the processors and no more, as a core of its own would be. Linux alone,
 * as root, where the control groups of the processors may be changed (`cpu.max`, or `cpu.cfs_quota_us` of version 1).
 * @param cores of one processor, such as 0.4
 * @returns what takes the share away again once the process has ended; null: it cannot be had here
 */
export function giveShare(pid: number, cores: number): (() => void) | null {
  const isFirst = existsSync(join(GROUPS, 'cpu', 'cpu.cfs_quota_us'));
  const group = join(GROUPS, isFirst ? 'cpu' : '', `sigma-bench-${process.pid}-${pid}`);
  const quota = Math.round(cores * PERIOD_US);
  try {
    mkdirSync(group);
    if (isFirst) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
    for (const each of [pid, ...descendantsOf(pid)]) writeFileSync(join(group, 'cgroup.procs'), String(each));
  } catch {
    return null;
  }
  return () => {
    try {
      rmdirSync(group);
    } catch {
      // Somebody of it is still ending; an empty group does no harm.
    }
  };
}

function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name)) {
      const stat = readStat(name);
      // The name of the program, in brackets, may hold anything.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      parents.set(Number(name), parent);
    }
  const below = (of: number): number[] =>
    [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
