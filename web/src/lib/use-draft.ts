import { useCallback, useState } from 'react';

/** What is being written, kept for this browser tab under `key` until it is sent. */
export function useDraft(key: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(key));
  const set = useCallback(
    (next: string) => {
      setText(next);
      try {
        if (next) sessionStorage.setItem(key, next);
        else sessionStorage.removeItem(key);
      } catch {
        // Storage is forbidden or full: the draft lives as long as the page.
      }
    },
    [key],
  );
  return [text, set];
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
