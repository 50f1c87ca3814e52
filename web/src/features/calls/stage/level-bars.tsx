import { useEffect, useRef } from 'react';
import { cn } from '#web/lib/class-names';
import { useMedia } from '#web/lib/use-media';

/** Each bar's share of the loudness: strongest in the middle. */
const SHARES = [0.45, 0.8, 1, 0.7, 0.5];
const LOWEST = 0.14;
/** How fast bars follow a louder and a softer voice, as a fraction per second. */
const RISE = 30;
const FALL = 9;

interface LevelBarsProps {
  /** Current loudness, 0 to 1; read at every frame. */
  level: () => number;
  /** Whether speech is detected. */
  isSpeaking: boolean;
  className?: string;
}

/** Bars that move with the microphone's sound, coloured while speech is detected. */
export function LevelBars({ level, isSpeaking, className }: LevelBarsProps) {
  const bars = useRef<HTMLSpanElement>(null);
  const latestLevel = useRef(level);
  latestLevel.current = level;
  const calm = useMedia('(prefers-reduced-motion: reduce)');

  useEffect(() => {
    if (calm) return;
    let frame = 0;
    let last: number | null = null;
    let shown = 0;
    const step = (now: number) => {
      frame = requestAnimationFrame(step);
      const seconds = last === null ? 0 : Math.min(0.1, (now - last) / 1_000);
      last = now;
      const wanted = latestLevel.current();
      shown += (wanted - shown) * (1 - Math.exp(-seconds * (wanted > shown ? RISE : FALL)));
      Array.from(bars.current?.children ?? []).forEach((bar, index) => {
        const wave = 1 + 0.22 * Math.sin(now / 90 + index * 1.9);
        const height = Math.max(LOWEST, Math.min(1, shown * (SHARES[index] ?? 1) * wave));
        if (bar instanceof HTMLElement) bar.style.transform = `scaleY(${height.toFixed(3)})`;
      });
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [calm]);

  return (
    <span
      ref={bars}
      aria-hidden="true"
      className={cn(
        'flex h-6 shrink-0 items-center gap-[3px] transition-colors',
        isSpeaking ? 'text-accent-text' : 'text-edge',
        className,
      )}
    >
      {SHARES.map((share) => (
        <span
          key={share}
          className="h-full w-[3px] origin-center rounded-full bg-current"
          style={{ transform: `scaleY(${calm && isSpeaking ? share : LOWEST})` }}
        />
      ))}
    </span>
  );
}
