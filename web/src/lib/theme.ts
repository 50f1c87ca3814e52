import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'sigma.theme';
const COLOURS = { light: '#fafcfc', dark: '#0b1214' };
const listeners = new Set<() => void>();
const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
let choice: ThemeChoice = read();

function read(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

/** public/theme.js does the same once before the first paint. */
function apply(): void {
  const dark = choice === 'dark' || (choice === 'system' && systemDark.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', dark ? COLOURS.dark : COLOURS.light);
  for (const listener of listeners) listener();
}

systemDark.addEventListener('change', apply);
window.addEventListener('storage', (event) => {
  if (event.key !== KEY && event.key !== null) return;
  choice = read();
  apply();
});

/** Sets and stores the theme; `system` follows the device. */
export function setTheme(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
  apply();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The person's choice, before `system` is resolved. */
export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}
