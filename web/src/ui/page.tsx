import type { ReactNode } from 'react';
import { cn } from '#web/lib/class-names';

/** Sets the title of the browser tab. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · Sigma`}</title>;
}

/** The column of an ordinary page. */
export function PageColumn({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={cn('mx-auto w-full max-w-6xl px-4 py-8 sm:px-6 sm:py-10 lg:px-8', className)}>
      {children}
    </div>
  );
}

interface PageHeaderProps {
  title: string;
  text?: ReactNode;
  /** Actions on this page. */
  children?: ReactNode;
}

/** The page's heading, its purpose, and its actions. */
export function PageHeader({ title, text, children }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-5 sm:flex-row sm:items-center sm:justify-between">
      <div className="min-w-0">
        <h1 className="wrap-anywhere font-semibold text-2xl sm:text-3xl">{title}</h1>
        {text && <p className="mt-1.5 text-ink-muted text-lg">{text}</p>}
      </div>
      {children && <div className="flex shrink-0 flex-wrap gap-3">{children}</div>}
    </header>
  );
}
