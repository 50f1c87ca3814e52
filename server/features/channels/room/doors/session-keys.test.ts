import { beforeEach, expect, it, vi } from 'vitest';
import { SessionKeys } from './session-keys.ts';

let doors: SessionKeys;
beforeEach(() => {
  vi.useRealTimers();
  doors = new SessionKeys();
});

it('close the rooms that a session opened, and no others', () => {
  doors.opened('sales', 'ada', 'phone');
  doors.opened('support', 'ada', 'laptop');
  doors.opened('sales', 'bob', 'desk');
  expect(doors.ended('phone', 'ada', ['sales', 'support'])).toEqual(['sales']);
  expect(doors.isBarred('sales', 'ada')).toBe(true);
  expect([doors.isBarred('support', 'ada'), doors.isBarred('sales', 'bob')]).toEqual([false, false]);
});

it('open again to whoever is let in anew', () => {
  doors.opened('sales', 'ada', 'phone');
  doors.ended('phone', 'ada', []);
  doors.opened('sales', 'ada', 'laptop');
  expect(doors.isBarred('sales', 'ada')).toBe(false);
});

it('close behind somebody of whom a restart has made them forget how they came', () => {
  expect(doors.ended('phone', 'ada', ['sales'])).toEqual(['sales']);
  expect(doors.isBarred('sales', 'ada')).toBe(true);
});

it('remember for as long as a key is good, or somebody is inside', () => {
  vi.useFakeTimers();
  doors.opened('sales', 'ada', 'phone');
  doors.opened('support', 'ada', 'phone');
  vi.advanceTimersByTime(31 * 60_000);
  doors.sweep((roomName) => roomName === 'support');
  expect(doors.ended('phone', 'ada', [])).toEqual(['support']);
  doors.sweep(() => false);
  expect(doors.isBarred('support', 'ada')).toBe(true);
  vi.advanceTimersByTime(31 * 60_000);
  doors.sweep(() => false);
  expect(doors.isBarred('support', 'ada')).toBe(false);
});
