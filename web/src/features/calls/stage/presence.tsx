import { useEffect, useRef } from 'react';
import { cn } from '#web/lib/class-names';
import { useMedia } from '#web/lib/use-media';
import { SigmaGlyph } from '#web/ui/logo';
import type { PresenceState } from '../state/call-state.ts';
import { PresenceAura } from './presence-aura.ts';

interface PresenceProps {
  state: PresenceState;
  /** Current loudness, 0 to 1; read at every frame. */
  level: () => number;
  className?: string;
}

/** The agent's picture: its movement shows the state, its size the voice. The words are below it. */
export function Presence({ state, level, className }: PresenceProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const aura = useRef<PresenceAura | null>(null);
  const latestLevel = useRef(level);
  latestLevel.current = level;
  const calm = useMedia('(prefers-reduced-motion: reduce)');

  useEffect(() => {
    if (!canvas.current) return;
    const drawn = new PresenceAura(canvas.current, () => latestLevel.current());
    aura.current = drawn;
    return calm ? undefined : drawn.run();
  }, [calm]);

  useEffect(() => {
    if (!aura.current) return;
    aura.current.state = state;
    if (calm) aura.current.still();
  }, [state, calm]);

  const asleep = state === 'connecting' || state === 'ended';
  return (
    <div aria-hidden="true" className={cn('relative grid aspect-square place-items-center', className)}>
      <canvas ref={canvas} className="absolute size-[200%] text-accent blur-[3px] dark:text-glow" />
      <div
        className={cn(
          'orb-core relative grid size-full place-items-center rounded-full text-white transition-[filter,opacity] duration-500',
          asleep && 'opacity-80 saturate-50',
        )}
      >
        <SigmaGlyph className="size-[46%]" />
        {(state === 'listening' || state === 'hearing') && (
          <span
            className={cn(
              'absolute -inset-[8%] animate-fade rounded-full border-2 border-accent transition-opacity duration-150 dark:border-glow',
              state === 'listening' && 'opacity-35',
            )}
          />
        )}
        {state === 'thinking' && (
          <span className="absolute -inset-[7%] animate-turn rounded-full bg-[conic-gradient(from_0turn,transparent_55%,var(--glow))] [mask:radial-gradient(closest-side,transparent_calc(100%-3px),#000_calc(100%-2px))]" />
        )}
      </div>
    </div>
  );
}
