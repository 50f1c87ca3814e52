import { type ComponentType, useState } from 'react';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/common';
import { toast } from '#web/ui/layers/toast';

/**
 * A part of the page whose code is fetched when somebody first wants it, so that the first visit does not wait for it.
 * @returns the component, null until it is there, and what fetches it. Where it cannot be had a toast says so, and
 *   wanting it again tries again.
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
