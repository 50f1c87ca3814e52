import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const PERIOD_US = 100_000;
const GROUPS = '/sys/fs/cgroup';

/**
 * Gives a process, with all that it starts from now on, a share of the processors and no more, as a core of its own would be. Linux alone,
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
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
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
