import { LoaderCircle } from 'lucide-react';
import { cn } from '#web/lib/class-names';

/** Something is going on. What it is, the words beside it say. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn('size-4.5 animate-spin', className)} />;
}
