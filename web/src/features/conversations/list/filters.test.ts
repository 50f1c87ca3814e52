import { describe, expect, it } from 'vitest';
import { filterQuery, isFiltered, noFilters, periodName, readFilters, writeFilters } from './filters.ts';

const read = (address: string) => readFilters(new URLSearchParams(address));

describe('filters in the address', () => {
  it.each([
    ['', noFilters],
    ['q=late+parcel', { ...noFilters, search: 'late parcel', sentiments: [], outcomes: [], period: null }],
    [
      'sentiment=negative,urgent',
      { ...noFilters, search: '', sentiments: ['negative', 'urgent'], outcomes: [], period: null },
    ],
    [
      'outcome=handover,declined',
      { ...noFilters, search: '', sentiments: [], outcomes: ['handover', 'declined'], period: null },
    ],
    ['period=7d', { ...noFilters, search: '', sentiments: [], outcomes: [], period: '7d' }],
    [
      'from=2026-11-01&to=2026-11-20',
      {
        ...noFilters,
        search: '',
        sentiments: [],
        outcomes: [],
        period: { from: '2026-11-01', to: '2026-11-20' },
      },
    ],
    [
      'to=2026-11-20',
      { ...noFilters, search: '', sentiments: [], outcomes: [], period: { from: null, to: '2026-11-20' } },
    ],
    ['of=workspace', { ...noFilters, everybody: true }],
    [
      'of=workspace&agent=a1&channel=door&state=waiting',
      { ...noFilters, everybody: true, agentId: 'a1', channel: 'door', state: 'waiting' },
    ],
  ])('are read from %j and written alike', (address, filters) => {
    expect(read(address)).toEqual(filters);
    expect(readFilters(writeFilters(read(address)))).toEqual(filters);
  });

  it('leave out what they cannot mean', () => {
    expect(
      read('sentiment=happy,,urgent&outcome=social,answered,lost&period=ever&from=soon&to=2026-13-40'),
    ).toEqual({
      ...noFilters,
      search: '',
      sentiments: ['urgent'],
      outcomes: ['answered'],
      period: null,
    });
    expect(read('agent=a1&channel=door&state=waiting')).toEqual(noFilters);
    expect(read('of=workspace&channel=rehearsal&state=lost')).toEqual({ ...noFilters, everybody: true });
    expect(read('from=2026-02-30').period).toBeNull();
    expect(read('from=2026-11-20&to=2026-11-01').period).toEqual({ from: '2026-11-01', to: '2026-11-20' });
    expect(read(`q=${'x'.repeat(500)}`).search).toHaveLength(200);
  });

  it('are none where nothing narrows', () => {
    expect(isFiltered(noFilters)).toBe(false);
    expect(isFiltered({ ...noFilters, search: '  ' })).toBe(false);
    expect(isFiltered({ ...noFilters, sentiments: ['neutral'] })).toBe(true);
    expect(isFiltered({ ...noFilters, outcomes: ['handover'] })).toBe(true);
  });
});

describe('the question to the server', () => {
  const now = new Date(2026, 10, 20, 15, 5);

  it('takes days as the reader counts them, whole', () => {
    expect(filterQuery(read('from=2026-11-01&to=2026-11-20'), now)).toEqual({
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 10, 20, 23, 59, 59, 999).toISOString(),
    });
  });

  it.each([
    ['today', new Date(2026, 10, 20)],
    ['7d', new Date(2026, 10, 14)],
    ['30d', new Date(2026, 9, 22)],
  ])('counts %s back from today', (period, from) => {
    expect(filterQuery(read(`period=${period}`), now)).toEqual({ from: from.toISOString() });
  });

  it('holds words, labels and outcomes', () => {
    expect(filterQuery(read('q=+kettle+&sentiment=urgent&outcome=handover,offered'), now)).toEqual({
      q: 'kettle',
      sentiment: 'urgent',
      outcome: 'handover,offered',
    });
  });
});

it('names periods in words', () => {
  expect([
    periodName(null),
    periodName('30d'),
    periodName({ from: '2026-11-01', to: '2026-11-20' }),
    periodName({ from: '2026-11-01', to: '2026-11-01' }),
    periodName({ from: '2026-11-01', to: null }),
    periodName({ from: null, to: '2026-11-01' }),
  ]).toEqual([
    'Any time',
    'Last 30 days',
    'Nov 1, 2026 – Nov 20, 2026',
    'Nov 1, 2026',
    'Since Nov 1, 2026',
    'Until Nov 1, 2026',
  ]);
});
