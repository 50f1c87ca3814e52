import type { ComponentProps } from 'react';
import { cn } from '#web/lib/class-names';

export function Card({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('rounded-lg border border-line bg-surface shadow-lift', className)} {...props} />;
}

/** Heading and description at the top of a card. */
export function CardHeader({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div className={cn('flex items-center justify-between gap-4 px-5 pt-5 sm:px-6', className)} {...props} />
  );
}

export function CardTitle({ className, children, ...props }: ComponentProps<'h2'>) {
  return (
    <h2 className={cn('font-semibold text-lg tracking-[-0.01em]', className)} {...props}>
      {children}
    </h2>
  );
}

export function CardBody({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('p-5 sm:p-6', className)} {...props} />;
}
