import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/class-names';

const badgeClasses = cva(
  'inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 font-medium text-xs',
  {
    variants: {
      tone: {
        neutral: 'bg-neutral-soft text-neutral-text',
        accent: 'bg-accent-soft text-accent-text',
        positive: 'bg-positive-soft text-positive-text',
        negative: 'bg-negative-soft text-negative-text',
        urgent: 'bg-urgent-soft text-urgent-text',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof badgeClasses>['tone']>;

export function Badge({ tone, className, ...props }: ComponentProps<'span'> & { tone?: BadgeTone }) {
  return <span className={cn(badgeClasses({ tone }), className)} {...props} />;
}
