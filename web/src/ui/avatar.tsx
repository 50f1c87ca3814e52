import { cn } from '#web/lib/class-names';

/** The first letter of a name, shown beside the name. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const [initial = '?'] = name.trim();
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid size-8 shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-text text-sm ring-1 ring-accent-line ring-inset',
        className,
      )}
    >
      {initial.toUpperCase()}
    </span>
  );
}
