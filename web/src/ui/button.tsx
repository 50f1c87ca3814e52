import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/class-names';
import { Spinner } from './spinner.tsx';

const buttonClasses = cva(
  'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap font-medium transition-[background-color,border-color,color,box-shadow,transform] active:not-disabled:translate-y-px disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent shadow-lift hover:not-disabled:bg-accent-hover',
        secondary:
          'border border-line bg-surface text-ink shadow-lift hover:not-disabled:border-edge/60 hover:not-disabled:bg-sunken',
        ghost: 'text-ink-muted hover:not-disabled:bg-sunken hover:not-disabled:text-ink',
        danger: 'bg-danger text-on-danger shadow-lift hover:not-disabled:bg-danger-hover',
      },
      size: {
        sm: 'h-8 rounded-[0.5rem] px-3 text-sm [&_svg]:size-4',
        md: 'h-10 rounded-md px-4 text-sm [&_svg]:size-4.5',
        lg: 'h-11 rounded-md px-5 text-base [&_svg]:size-4.5',
        icon: 'size-10 rounded-md [&_svg]:size-4.5',
        'icon-sm': 'size-8 rounded-[0.5rem] [&_svg]:size-4',
        'icon-lg': 'size-12 rounded-full [&_svg]:size-5',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
);

interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonClasses> {
  /** Styles its only child, e.g. a link, as a button. */
  asChild?: boolean;
  /** Shows that work is in progress and ignores further clicks. */
  busy?: boolean;
}

export function Button({
  className,
  variant,
  size,
  asChild,
  busy,
  disabled,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(buttonClasses({ variant, size }), className);
  if (asChild)
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    );
  return (
    <button
      type="button"
      className={classes}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}
