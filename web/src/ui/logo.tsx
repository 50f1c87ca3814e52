import { cn } from '#web/lib/class-names';

/** The Σ of the house: the sum of a conversation, with the voice as a point at its heart. */
export function SigmaGlyph({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={className}>
      <path
        d="M17 5.75H6.5L12.75 12 6.5 18.25H17"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="18.25" cy="12" r="1.75" className="fill-(--logo-point,currentColor)" />
    </svg>
  );
}

/** Mark and name together. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2.5 text-ink', className)}>
      <span className="grid size-8 place-items-center rounded-[0.5625rem] bg-accent text-on-accent [--logo-point:var(--glow)] dark:[--logo-point:var(--on-accent)]">
        <SigmaGlyph className="size-5.5" />
      </span>
      <span className="font-semibold text-[1.0625rem] tracking-[-0.02em]">Sigma</span>
    </span>
  );
}
