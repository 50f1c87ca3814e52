import { useCallback, useState } from 'react';
import { keepSealed, readSealed } from './sealed-storage.ts';

/** The signed-in person's draft, stored for this browser tab under `name` until it is sent. */
export function useDraft(name: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => readSealed(name) ?? '');
  const set = useCallback(
    (next: string) => {
      setText(next);
      keepSealed(name, next || null);
    },
    [name],
  );
  return [text, set];
}
