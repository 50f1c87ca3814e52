import { Pause, Play, RotateCcw } from 'lucide-react';
import { Slider } from 'radix-ui';
import type { KeyboardEvent } from 'react';
import { cn } from '#web/lib/class-names';
import { formatClock } from '#web/lib/formats';
import { useAudioClip } from '#web/lib/use-audio-clip';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface AudioClipProps {
  /** Address of the recording; a newly signed one of the same recording does not interrupt it. */
  src: string;
  /** What is heard, such as "Recording of your message". */
  label: string;
  className?: string;
}

const SPEEDS: readonly number[] = [1, 1.25, 1.5, 2, 0.75];
/** Seconds that an arrow key goes. */
const ARROW_STEP = 2;

/** A recording to be heard: play, pause, where one is in it, how fast. Nothing is fetched before somebody wants to hear it. */
export function AudioClip(props: AudioClipProps) {
  return <Clip key={props.src.split('?')[0]} {...props} />;
}

function Clip({ src, label, className }: AudioClipProps) {
  const clip = useAudioClip(src);
  const { phase, at, length, speed } = clip;
  // A moment is no time at all on a clock.
  const wholeLength = length === null ? null : formatClock(Math.max(1, Math.round(length)));
  const isPlaying = phase === 'playing' || phase === 'loading';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
    <div
      role="group"
      aria-label={label}
      className={cn(
        'flex h-10 w-full max-w-80 items-center gap-2 rounded-full border border-line bg-surface pr-1.5 pl-1 text-ink',
        className,
      )}
    >
      <audio {...clip.element} />
      <Button
        variant="ghost"
        size="icon-sm"
        className="rounded-full text-accent-text"
        aria-label={phase === 'failed' ? 'Try again' : isPlaying ? 'Pause' : 'Play'}
        aria-busy={phase === 'loading' || undefined}
        onClick={clip.toggle}
      >
        <Face phase={phase} />
      </Button>
      {phase === 'failed' ? (
        <span role="status" className="flex-1 truncate text-urgent-text text-xs">
          This recording cannot be played.
        </span>
      ) : (
        <>
          <Slider.Root
            className="relative flex h-8 min-w-16 flex-1 touch-none select-none items-center data-[disabled]:opacity-60"
            value={[at]}
            max={length ?? 1}
            step={0.01}
            disabled={length === null}
            onValueChange={([seconds = 0]) => clip.seek(seconds)}
            onKeyDown={(event) => seekByKey(event, at, clip.seek)}
          >
            <Slider.Track className="relative h-1 flex-1 overflow-hidden rounded-full bg-edge/45">
              <Slider.Range className="absolute h-full rounded-full bg-accent" />
            </Slider.Track>
            <Slider.Thumb
              aria-label="Position"
              aria-valuetext={`${formatClock(at)} of ${wholeLength ?? '0:00'}`}
              className={cn(
                'block size-3.5 rounded-full border-2 border-surface bg-accent shadow-lift transition-opacity',
                length === null && 'opacity-0',
              )}
            />
          </Slider.Root>
          <span className="numbers shrink-0 text-ink-muted text-xs">
            {formatClock(at)}
            {wholeLength && <span className="text-ink-faint"> / {wholeLength}</span>}
          </span>
          <Button
            variant="ghost"
            size="sm"
            className="numbers h-7 min-w-10 rounded-full px-1.5 font-normal text-xs"
            aria-label={`Speed ${speed}×`}
            onClick={() => clip.setSpeed(next(speed))}
          >
            {speed}×
          </Button>
        </>
      )}
    </div>
  );
}

function Face({ phase }: { phase: ReturnType<typeof useAudioClip>['phase'] }) {
  if (phase === 'loading') return <Spinner />;
  const Icon = phase === 'failed' ? RotateCcw : phase === 'playing' ? Pause : Play;
  return <Icon aria-hidden="true" className={phase === 'failed' ? '' : 'fill-current'} />;
}

const next = (speed: number) => SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;

/** Arrows go by seconds; the other keys are the slider's own. */
function seekByKey(event: KeyboardEvent, at: number, seek: (seconds: number) => void): void {
  const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (!direction) return;
  event.preventDefault();
  seek(at + direction * ARROW_STEP);
}
