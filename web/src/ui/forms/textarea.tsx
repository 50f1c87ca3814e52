import type { ComponentProps } from 'react';
import { cn } from '#web/lib/class-names';

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cn('control w-full resize-none px-3.5 py-2.5 text-[1rem] leading-6 sm:text-base', className)}
      {...props}
    />
  );
}
