import { Progress as Primitive } from 'radix-ui';

/** Progress, with `value` from 0 to 1; null shows an indeterminate animation. */
export function Progress({ label, value }: { label: string; value: number | null }) {
  const percent = value === null ? null : Math.floor(value * 100);
  return (
    <Primitive.Root
      aria-label={label}
      value={percent}
      className="relative h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <Primitive.Indicator
        className={
          percent === null
            ? 'h-full w-full animate-shimmer rounded-full bg-accent/60'
            : 'h-full rounded-full bg-accent transition-[width] duration-500'
        }
        style={percent === null ? {} : { width: `${percent}%` }}
      />
    </Primitive.Root>
  );
}
