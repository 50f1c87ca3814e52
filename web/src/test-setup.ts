import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { queryClient } from '#web/lib/server/query-client';
import { emptyTab } from '#web/lib/tab-owner';

// A page is imported when it is first opened, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

// jsdom has none, and lays nothing out.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  localStorage.clear();
  emptyTab();
});
