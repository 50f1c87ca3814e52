import { useEffect, useRef, useState } from 'react';
import { useMedia } from '#web/lib/use-media';

/** A ring is added this often and dropped once it has this scale (specification, section 9). */
const RING_EVERY_MS = 150;
const LARGEST_SCALE = 2;
/** How fast a ring grows, as scale per second. */
const GROWTH = 1.1;

/**
 * Rings that spread from a recording microphone, more visible when louder. With reduced motion, one ring that stays.
 */
export function MicPulse({ level }: { level: () => number }) {
  const calm = useMedia('(prefers-reduced-motion: reduce)');
  return calm ? <Ring scale={1.25} opacity={0.5} /> : <SpreadingRings level={level} />;
}

function SpreadingRings({ level }: { level: () => number }) {
  const [rings, setRings] = useState<readonly { id: number; scale: number }[]>([]);
  const lastId = useRef(0);
  const latestLevel = useRef(level);
  latestLevel.current = level;

  useEffect(() => {
    let last: number | null = null;
    let frame = 0;
    const add = () => {
      lastId.current += 1;
      const ring = { id: lastId.current, scale: 1 };
      setRings((shown) => [...shown, ring]);
    };
    const grow = (now: number) => {
      frame = requestAnimationFrame(grow);
      // A page in the background draws nothing: limits the step, so that no ring jumps out of sight on its return.
      const by = last === null ? 0 : Math.min(0.1, (now - last) / 1_000) * GROWTH;
      last = now;
      setRings((shown) =>
        shown
          .map(({ id, scale }) => ({ id, scale: scale + by }))
          .filter(({ scale }) => scale < LARGEST_SCALE),
      );
    };
    add();
    const timer = setInterval(add, RING_EVERY_MS);
    frame = requestAnimationFrame(grow);
    return () => {
      clearInterval(timer);
      cancelAnimationFrame(frame);
    };
  }, []);

  const strength = 0.14 + 0.5 * latestLevel.current();
  return rings.map(({ id, scale }) => (
    <Ring key={id} scale={scale} opacity={strength * (LARGEST_SCALE - scale)} />
  ));
}

function Ring({ scale, opacity }: { scale: number; opacity: number }) {
  return (
    <span
      aria-hidden="true"
      data-mic-ring=""
      className="pointer-events-none absolute inset-0 rounded-full border-2 border-danger"
      style={{ transform: `scale(${scale.toFixed(3)})`, opacity: opacity.toFixed(3) }}
    />
  );
}
