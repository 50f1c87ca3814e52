import { LoaderCircle } from 'lucide-react';
import { cn } from '#web/lib/class-names';

/** Shows that something is in progress; the text beside it says what. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn('size-4.5 animate-spin', className)} />;
}
