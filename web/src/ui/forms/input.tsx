import type { ComponentProps } from 'react';
import { cn } from '#web/lib/class-names';

/** Text stays at 16 px on phones, where a smaller one makes the page zoom. */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input className={cn('control h-11 w-full px-3.5 text-[1rem] sm:text-base', className)} {...props} />
  );
}
