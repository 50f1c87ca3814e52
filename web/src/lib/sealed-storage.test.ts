import { expect, it, vi } from 'vitest';
import { adasTabKey } from '#web/test-support';
import { keepSealed, readSealed } from './sealed-storage.ts';
import { emptyTab, leaveTab, ownTab } from './tab-owner.ts';

const bobsTabKey = btoa('bob'.padEnd(32));
const asAda = () => ownTab('ada', adasTabKey);
const asBob = () => ownTab('bob', bobsTabKey);
/** Everything in the tab's storage. */
const stored = () => Object.entries({ ...sessionStorage });
const place = () => stored()[0]?.[0] ?? '';

it('gives a text back to whom it belongs, whole', () => {
  asAda();
  const text = 'Half a thought: 12 €, こんに 🎈\n'.repeat(5_000);
  keepSealed('draft', text);
  expect(readSealed('draft')).toBe(text);
  expect(readSealed('another draft')).toBeNull();
  keepSealed('draft', null);
  expect(readSealed('draft')).toBeNull();
  expect(stored()).toEqual([]);
});

it('leaves nothing that can be read in the storage, and the key not at all', () => {
  asAda();
  keepSealed('draft', 'My card is lost');
  const first = JSON.stringify(stored());
  expect(first).not.toMatch(/card|lost/);
  expect(atob(stored()[0]?.[1] ?? '')).not.toMatch(/card|lost/);
  keepSealed('draft', 'My card is lost');
  expect(JSON.stringify(stored())).not.toBe(first);
  expect(JSON.stringify([stored(), { ...localStorage }])).not.toContain(adasTabKey);
});

it('reads nothing while nobody is known to be signed in, and loses nothing by that', () => {
  asAda();
  keepSealed('draft', 'Half a thought');
  leaveTab();
  expect(readSealed('draft')).toBeNull();
  keepSealed('draft', null);
  keepSealed('draft', 'From nobody');
  expect(stored()).toHaveLength(1);
  asAda();
  expect(readSealed('draft')).toBe('Half a thought');
});

it('removes what somebody else left in the tab', () => {
  asAda();
  keepSealed('draft', 'Of Ada');
  leaveTab();
  asBob();
  expect(stored()).toEqual([]);
  expect(readSealed('draft')).toBeNull();
  keepSealed('draft', 'Of Bob');
  asAda();
  expect(readSealed('draft')).toBeNull();
  expect(stored()).toEqual([]);
});

it('takes nothing that was changed, or put into another place or account, and removes it', () => {
  asAda();
  keepSealed('draft', 'Half a thought');
  const [name, sealed] = stored()[0] ?? ['', ''];
  const changed = `${sealed.slice(0, 30)}${sealed[30] === 'A' ? 'B' : 'A'}${sealed.slice(31)}`;
  for (const wrong of [changed, sealed.slice(0, 20), '', '{"plain":1}', 'Half a thought']) {
    sessionStorage.setItem(name, wrong);
    expect(readSealed('draft')).toBeNull();
    expect(stored()).toEqual([]);
  }
  keepSealed('other', 'x');
  sessionStorage.setItem(place(), sealed);
  expect(readSealed('other')).toBeNull();
  asBob();
  sessionStorage.setItem(name.replace('ada', 'bob'), sealed);
  expect(readSealed('draft')).toBeNull();
  expect(stored()).toEqual([]);
});

it('cannot be read with another key, as after the server got another secret', () => {
  asAda();
  keepSealed('draft', 'Half a thought');
  ownTab('ada', bobsTabKey);
  expect(readSealed('draft')).toBeNull();
  expect(stored()).toEqual([]);
});

it('goes on with its key when something else of the same person changes', () => {
  asAda();
  keepSealed('draft', 'Half a thought');
  ownTab('ada', undefined);
  expect(readSealed('draft')).toBe('Half a thought');
});

it('keeps texts for the life of the page where a server gives no key', () => {
  ownTab('ada', undefined);
  keepSealed('draft', 'Half a thought');
  ownTab('ada', undefined);
  expect(readSealed('draft')).toBe('Half a thought');
  leaveTab();
  ownTab('ada', undefined);
  expect(readSealed('draft')).toBeNull();
});

it('removes what former versions kept for anybody to read, and nothing else', () => {
  const left = () => {
    sessionStorage.setItem('sigma.draft.simulator.ada', 'Half a thought');
    sessionStorage.setItem('sigma.unsent', '{"conversationId":"call-1"}');
    sessionStorage.setItem('sigma.sign-in', 'sealed by the server');
  };
  left();
  asAda();
  expect(stored()).toEqual([['sigma.sign-in', 'sealed by the server']]);
  left();
  leaveTab();
  expect(stored()).toEqual([['sigma.sign-in', 'sealed by the server']]);
});

it('leaves nothing behind a sign-out', () => {
  asAda();
  keepSealed('draft', 'Half a thought');
  sessionStorage.setItem('sigma.sign-in', 'sealed by the server');
  emptyTab();
  expect(stored()).toEqual([]);
  asAda();
  expect(readSealed('draft')).toBeNull();
});

it.each([
  ['full', new DOMException('Full.', 'QuotaExceededError'), ['setItem']],
  ['forbidden', new DOMException('Forbidden.', 'SecurityError'), ['setItem', 'getItem', 'removeItem']],
])('goes on where the storage is %s', (_how, problem, refused) => {
  const refuse = () => {
    throw problem;
  };
  const storage = { getItem: () => null, removeItem: () => {} };
  vi.stubGlobal('sessionStorage', {
    ...storage,
    ...Object.fromEntries(refused.map((name) => [name, refuse])),
    'sigma.unsent': 'what a former version kept',
  });
  asAda();
  keepSealed('draft', 'Half a thought');
  expect(readSealed('draft')).toBeNull();
  keepSealed('draft', null);
  leaveTab();
  emptyTab();
});
