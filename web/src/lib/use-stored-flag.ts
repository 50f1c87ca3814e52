import { useCallback, useState } from 'react';

/** An on/off setting that this browser stores under `key`. */
export function useStoredFlag(key: string, byDefault: boolean): [boolean, (next: boolean) => void] {
  const [value, setValue] = useState(() => read(key) ?? byDefault);
  const set = useCallback(
    (next: boolean) => {
      setValue(next);
      try {
        localStorage.setItem(key, next ? 'on' : 'off');
      } catch {
        // Storage is blocked: the setting lasts as long as the page.
      }
    },
    [key],
  );
  return [value, set];
}

function read(key: string): boolean | null {
  try {
    const stored = localStorage.getItem(key);
    return stored === null ? null : stored === 'on';
  } catch {
    return null;
  }
}
