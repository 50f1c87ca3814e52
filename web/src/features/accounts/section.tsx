import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  text?: string;
  children: ReactNode;
}

/** One setting with its name and explanation. */
export function Section({ title, text, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-4 border-line border-t pt-6 first:border-t-0 first:pt-0">
      <div>
        <h3 className="font-semibold text-base tracking-[-0.01em]">{title}</h3>
        {text && <p className="mt-0.5 text-ink-muted text-sm">{text}</p>}
      </div>
      {children}
    </section>
  );
}
