import { useEffect, useRef } from 'react';
import { cn } from '#web/lib/class-names';

/** Above this level it is a voice, not the noise of a room. */
const SOUND = 0.25;
const FRAMES_OF_SOUND = 6;

interface LevelMeterProps {
  level: () => number;
  /** Called once after the first speech. */
  onSound?: () => void;
  className?: string;
}

/** A bar as long as the sound is loud. The text beside it explains it. */
export function LevelMeter({ level, onSound, className }: LevelMeterProps) {
  const bar = useRef<HTMLSpanElement>(null);
  const latest = useRef({ level, onSound });
  latest.current = { level, onSound };
  useEffect(() => {
    let shown = 0;
    let loud = 0;
    let frame = 0;
    const draw = () => {
      frame = requestAnimationFrame(draw);
      const now = latest.current.level();
      shown += (now - shown) * (now > shown ? 0.6 : 0.15);
      bar.current?.style.setProperty('transform', `scaleX(${shown.toFixed(3)})`);
      loud = now > SOUND ? loud + 1 : loud;
      if (loud === FRAMES_OF_SOUND) latest.current.onSound?.();
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <span
      aria-hidden="true"
      className={cn(
        'block h-2 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset',
        className,
      )}
    >
      <span
        ref={bar}
        className="block h-full origin-left rounded-full bg-positive"
        style={{ transform: 'scaleX(0)' }}
      />
    </span>
  );
}
