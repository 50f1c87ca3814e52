import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  text?: string;
  /** The way on. */
  children?: ReactNode;
}

/** Nothing is here, why, and what to do about it. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent-text [&_svg]:size-5.5">
        {icon}
      </span>
      <h2 className="mt-4 font-semibold text-lg">{title}</h2>
      {text && <p className="mt-1.5 max-w-sm text-ink-muted">{text}</p>}
      {children && <div className="mt-6 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  );
}
