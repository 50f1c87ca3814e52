import { readFileSync } from 'node:fs';

/**
 * Resident memory of a process and of those it started, in MB; Linux only.
 * @param {number | string} pid
 * @returns {{ all: number, own: number }} `own` belongs to nobody's file, such as heaps and what weights became
 */
export function resident(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.map(resident).reduce((sum, one) => ({ all: sum.all + one.all, own: sum.own + one.own }), {
    all: of('VmRSS'),
    own: of('RssAnon'),
  });
}
