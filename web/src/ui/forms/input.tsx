import type { ComponentProps } from 'react';
import { cn } from '#web/lib/class-names';

/** Text stays at 16 px on phones, because the page zooms in on smaller inputs. */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input className={cn('control h-11 w-full px-3.5 text-[1rem] sm:text-base', className)} {...props} />
  );
}
