import type { PresenceState } from '../state/call-state.ts';

/** Movement of the aura in each state: reach at rest (share of the core), liveliness, strength. */
const manners: Record<PresenceState, { reach: number; wobble: number; speed: number; strength: number }> = {
  connecting: { reach: 0.1, wobble: 0.01, speed: 0.35, strength: 0.45 },
  ready: { reach: 0.2, wobble: 0.022, speed: 0.45, strength: 0.8 },
  listening: { reach: 0.18, wobble: 0.02, speed: 0.5, strength: 0.85 },
  hearing: { reach: 0.2, wobble: 0.03, speed: 0.9, strength: 1 },
  thinking: { reach: 0.22, wobble: 0.06, speed: 1.5, strength: 0.9 },
  speaking: { reach: 0.24, wobble: 0.035, speed: 1.05, strength: 1 },
  held: { reach: 0.12, wobble: 0.012, speed: 0.4, strength: 0.55 },
  ended: { reach: 0.06, wobble: 0, speed: 0, strength: 0.3 },
};

const LAYERS = [
  { distance: 1, phase: 0, alpha: 0.13 },
  { distance: 0.62, phase: 2.1, alpha: 0.17 },
  { distance: 0.3, phase: 4.3, alpha: 0.22 },
];
/** States in which the aura moves with the agent's or the customer's voice. */
const voiced = new Set<PresenceState>(['listening', 'hearing', 'speaking']);
const POINTS = 72;
/** How fast the aura follows a louder and a softer voice, as a fraction per second. */
const RISE = 22;
const FALL = 7;

/** The moving edge of the presence: follows its state and the sound. */
export class PresenceAura {
  readonly #canvas: HTMLCanvasElement;
  readonly #level: () => number;
  #manner = { ...manners.connecting };
  #target: PresenceState = 'connecting';
  #loudness = 0;
  #phase = 0;
  #last: number | null = null;
  #frame = 0;

  constructor(canvas: HTMLCanvasElement, level: () => number) {
    this.#canvas = canvas;
    this.#level = level;
  }

  set state(state: PresenceState) {
    this.#target = state;
  }

  /** Moves until the returned function is called. */
  run(): () => void {
    const step = (now: number) => {
      this.#frame = requestAnimationFrame(step);
      // Skips two of three frames while nothing moves quickly.
      const quick = this.#target === 'speaking' || this.#target === 'thinking' || this.#loudness > 0.02;
      if (this.#last !== null && !quick && now - this.#last < 45) return;
      this.#advance(this.#last === null ? 0 : Math.min(0.1, (now - this.#last) / 1_000));
      this.#last = now;
      this.#draw();
    };
    this.#frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(this.#frame);
  }

  /** One still picture of the present state, for reduced motion. */
  still(): void {
    this.#manner = { ...manners[this.#target], wobble: 0 };
    this.#draw();
  }

  #advance(seconds: number): void {
    const target = manners[this.#target];
    const share = 1 - Math.exp(-seconds * 5);
    const manner = this.#manner;
    manner.reach += (target.reach - manner.reach) * share;
    manner.wobble += (target.wobble - manner.wobble) * share;
    manner.speed += (target.speed - manner.speed) * share;
    manner.strength += (target.strength - manner.strength) * share;
    const level = voiced.has(this.#target) ? this.#level() : 0;
    const pace = level > this.#loudness ? RISE : FALL;
    this.#loudness += (level - this.#loudness) * (1 - Math.exp(-seconds * pace));
    this.#phase += seconds * manner.speed;
  }

  #draw(): void {
    const canvas = this.#canvas;
    const context = canvas.getContext('2d');
    if (!context) return;
    const scale = Math.min(2, window.devicePixelRatio || 1);
    const size = canvas.clientWidth;
    if (canvas.width !== Math.round(size * scale)) {
      canvas.width = Math.round(size * scale);
      canvas.height = canvas.width;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, size, size);
    context.fillStyle = getComputedStyle(canvas).color;
    // The core fills half of the canvas, which leaves room for a loud voice.
    const core = size / 4;
    const { reach, wobble, strength } = this.#manner;
    for (const layer of LAYERS) {
      const radius = core * (1 + layer.distance * (reach + this.#loudness * 0.5));
      const swing = core * (wobble + this.#loudness * 0.13) * (0.4 + layer.distance);
      context.globalAlpha = layer.alpha * strength;
      context.beginPath();
      for (let i = 0; i < POINTS; i++) {
        const angle = (i / POINTS) * Math.PI * 2;
        const r = radius + swing * this.#wave(angle, layer.phase);
        const x = size / 2 + Math.cos(angle) * r;
        const y = size / 2 + Math.sin(angle) * r;
        if (i === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
      context.closePath();
      context.fill();
    }
  }

  /** A slow, almost never repeating wave around the circle, −1 to 1. */
  #wave(angle: number, phase: number): number {
    const t = this.#phase * 2;
    return (
      0.5 * Math.sin(angle * 2 + t + phase) +
      0.3 * Math.sin(angle * 3 - t * 1.3 + phase * 2) +
      0.2 * Math.sin(angle * 5 + t * 0.7 - phase)
    );
  }
}
