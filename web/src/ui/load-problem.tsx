import { CloudOff, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '#web/texts/common';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface LoadProblemProps {
  title: string;
  error?: Error | null;
  onRetry: () => void;
  /** An alternative to trying again. */
  children?: ReactNode;
}

/** Says that something could not be loaded and why, with a button to try again. */
export function LoadProblem({ title, error, onRetry, children }: LoadProblemProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff aria-hidden="true" />}
        title={title}
        {...(error && error.message !== title ? { text: error.message } : {})}
      >
        <Button variant="secondary" onClick={() => onRetry()}>
          <RefreshCw aria-hidden="true" />
          {t('tryAgain')}
        </Button>
        {children}
      </EmptyState>
    </div>
  );
}
