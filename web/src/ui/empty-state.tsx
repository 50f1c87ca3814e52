import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  text?: string;
  /** Heading level: 1 if it is the only content of the page. */
  level?: 1 | 2;
  /** The next step. */
  children?: ReactNode;
}

/** Says that nothing is here, why, and what to do. */
export function EmptyState({ icon, title, text, level = 2, children }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent-text [&_svg]:size-5.5">
        {icon}
      </span>
      <Heading className="mt-4 font-semibold text-lg">{title}</Heading>
      {text && <p className="mt-1.5 max-w-sm text-ink-muted">{text}</p>}
      {children && <div className="mt-6 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  );
}
