import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const PERIOD_US = 100_000;
const GROUPS = '/sys/fs/cgroup';

/**
 * Limits a process and its children to a share of the processors, as if it had its own core. Linux only, as root, with
 * changeable control groups (`cpu.max`, or `cpu.cfs_quota_us` of version 1).
 * @param cores of one processor, such as 0.4
 * @returns removes the limit once the process has ended; null if it is not possible here
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
      // A process of it is still ending; an empty group does no harm.
    }
  };
}
