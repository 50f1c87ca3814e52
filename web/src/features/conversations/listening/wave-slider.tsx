import { Slider } from 'radix-ui';
import type { KeyboardEvent, ReactNode } from 'react';
import { cn } from '#web/lib/class-names';

interface WaveSliderProps {
  label: string;
  /** The position, for screen readers. */
  valueText: string;
  /** Seconds. */
  at: number;
  length: number;
  onSeek: (seconds: number) => void;
  /** To the next turn or the one before. */
  onStep?: (direction: 1 | -1) => void;
  className?: string;
  /** The picture to point at. */
  children: ReactNode;
}

/** Seconds of one arrow key. */
const ARROW_STEP = 2;

/** A picture of sound for seeking by pointing or by keys. */
export function WaveSlider(props: WaveSliderProps) {
  const { label, valueText, at, length, onSeek, onStep, className, children } = props;
  const goByKey = (event: KeyboardEvent) => {
    const direction = directions[event.key];
    if (!direction) return;
    event.preventDefault();
    if (onStep && event.key.startsWith('Page')) onStep(direction);
    else onSeek(Math.min(Math.max(0, at + direction * ARROW_STEP), length));
  };
  return (
    <Slider.Root
      className={cn('group relative flex h-8 touch-none select-none items-center', className)}
      value={[Math.min(at, length)]}
      max={length}
      step={0.01}
      onValueChange={([seconds = 0]) => onSeek(seconds)}
      onKeyDown={goByKey}
    >
      <Slider.Track className="absolute inset-0 cursor-pointer overflow-hidden rounded-sm">
        {children}
      </Slider.Track>
      <Slider.Thumb
        aria-label={label}
        aria-valuetext={valueText}
        className="block h-8 w-0.5 rounded-full bg-ink opacity-0 outline-offset-2 transition-opacity focus-visible:opacity-100 group-hover:opacity-60 data-[shown]:opacity-100"
        data-shown={at > 0 || undefined}
      />
    </Slider.Root>
  );
}

const directions: Record<string, 1 | -1> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -1,
  PageUp: 1,
};
