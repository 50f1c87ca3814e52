import { cn } from '#web/lib/class-names';

/** The place of something that is still coming, in its final size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('animate-shimmer rounded-sm bg-sunken', className)} />;
}
