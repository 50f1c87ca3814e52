import { cn } from '#web/lib/class-names';

/** Placeholder of content that is still loading, in its final size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('animate-shimmer rounded-sm bg-sunken', className)} />;
}
