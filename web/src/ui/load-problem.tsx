import { CloudOff, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '#web/texts/common';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface LoadProblemProps {
  title: string;
  error?: Error | null;
  onRetry: () => void;
  /** Another way on. */
  children?: ReactNode;
}

/** Something could not be loaded: why, and a button that tries again. */
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
