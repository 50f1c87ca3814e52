import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  type Advisory,
  fixWithinDays,
  newVersionWithinDays,
  oldestNode,
  overdueFix,
  overdueVersion,
} from './overdue.ts';

const when = { node: '20.19.0', now: new Date('2026-11-25T12:00:00Z') };
const installed = { name: 'left-right', version: '1.2.0' };
const daysAgo = (days: number) => new Date(when.now.getTime() - days * 86_400_000).toISOString();

/** A library with these versions and their ages in days. */
function published(ages: Record<string, number>, facts: Record<string, object> = {}) {
  return {
    versions: Object.fromEntries(Object.keys(ages).map((version) => [version, facts[version] ?? {}])),
    time: Object.fromEntries(Object.entries(ages).map(([version, days]) => [version, daysAgo(days)])),
  };
}

describe('a new version', () => {
  it('may wait for its days, and is overdue behind them', () => {
    expect(overdueVersion(installed, published({ '1.2.0': 400, '1.3.0': 179 }), when)).toBeNull();
    expect(overdueVersion(installed, published({ '1.2.0': 400, '1.3.0': 181 }), when)).toEqual({
      ...installed,
      newer: '1.3.0',
      dueAt: new Date(daysAgo(1)),
      why: 'a newer version',
    });
  });

  it('is overdue since the first that was passed over, and the newest that is due is named', () => {
    const late = overdueVersion(
      installed,
      published({ '1.2.0': 900, '1.3.0': 380, '1.10.0': 200, '2.0.0': 10 }),
      when,
    );
    expect(late).toMatchObject({ newer: '1.10.0', dueAt: new Date(daysAgo(200)) });
  });

  it.each([
    ['older', published({ '1.1.0': 300, '1.2.0': 400 }), null],
    ['unfinished', published({ '1.2.0': 400, '2.0.0-rc.1': 300 }), null],
    ['withdrawn', published({ '1.2.0': 400, '1.3.0': 300 }, { '1.3.0': { deprecated: 'broken' } }), null],
    [
      'for a newer Node.js than ours',
      published({ '1.2.0': 400, '2.0.0': 300 }, { '2.0.0': { engines: { node: '>=22' } } }),
      null,
    ],
  ])('that is %s is none', (_what, versions, nothing) => {
    expect(overdueVersion(installed, versions, when)).toBe(nothing);
  });
});

describe('a weakness', () => {
  const advisory: Advisory = {
    title: 'Reads too much',
    url: 'https://example.com/1',
    severity: 'high',
    vulnerable_versions: '<1.2.2',
  };

  it.each([
    ['critical', 3],
    ['high', 14],
    ['moderate', 60],
    ['low', 180],
  ] as const)('that is %s is overdue %d days behind its fix', (severity, days) => {
    const at = (age: number) =>
      overdueFix(
        installed,
        published({ '1.2.0': 400, '1.2.1': 300, '1.2.2': age }),
        { ...advisory, severity },
        when,
      );
    expect(at(days - 1)).toBeNull();
    expect(at(days + 1)).toEqual({
      ...installed,
      newer: '1.2.2',
      dueAt: new Date(daysAgo(1)),
      why: `${severity}: Reads too much (https://example.com/1)`,
    });
  });

  it('without a fix is not overdue', () => {
    expect(overdueFix(installed, published({ '1.2.0': 400, '1.2.1': 300 }), advisory, when)).toBeNull();
  });
});

it('promises what SECURITY.md promises', () => {
  const promised = readFileSync(fileURLToPath(new URL('../../SECURITY.md', import.meta.url)), 'utf8');
  const { critical, high, moderate, low } = fixWithinDays;
  expect(promised).toContain(`or critical | ${critical} days |`);
  expect(promised).toContain(`| high | ${high} days |`);
  expect(promised).toContain(`| medium | ${moderate} days |`);
  expect(promised).toContain(`| low, or none known: new versions | ${low} days |`);
  expect(low).toBe(newVersionWithinDays);
});

it('looks at versions for the oldest Node.js that the product runs on', () => {
  expect(oldestNode('>=20.19.0')).toBe('20.19.0');
});
