import { type ComponentType, useState } from 'react';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/common';
import { toast } from '#web/ui/layers/toast';

/**
 * A component whose code is loaded at its first use, so that the first visit does not wait for it.
 * @returns the component, null until it is loaded, and a function that loads it. A failure shows a toast, and the next
 *   use tries again.
 */
export function useOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
): [ComponentType<Props> | null, () => void] {
  const [component, setComponent] = useState<ComponentType<Props> | null>(null);
  const fetch = () => {
    if (component) return;
    load().then(
      (loaded) => setComponent(() => loaded),
      (error: unknown) => {
        logProblem('A part of the page could not be fetched.', error);
        toast.error(t('unreachable'));
      },
    );
  };
  return [component, fetch];
}
