import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { t } from '#web/texts/agents';
import { AlertDialog } from '#web/ui/layers/alert-dialog';

/**
 * Asks before unsaved changes are lost by a link, by going back, or by closing the page.
 * @returns the dialog to render, and a function that lets the next navigation pass, for after saving
 */
export function useLeaveGuard(isUnsaved: boolean): { question: ReactNode; letPass: () => void } {
  const passes = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isUnsaved && !passes.current && (from.pathname !== to.pathname || from.search !== to.search),
  );

  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!passes.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);

  return {
    letPass: () => {
      passes.current = true;
    },
    question: (
      <AlertDialog
        open={blocker.state === 'blocked'}
        onOpenChange={(open) => {
          if (!open && blocker.state === 'blocked') blocker.reset();
        }}
        question={t('leave.question')}
        detail={t('leave.detail')}
        confirm={t('leave.confirm')}
        onConfirm={() => blocker.proceed?.()}
      />
    ),
  };
}
