import { logProblem } from '../log.ts';
import type { SoundAnalyser, SoundContext } from './sound-context.ts';

/** A browser that allows sound starts its audio within this time. */
const BLOCKED_AFTER_MS = 350;
/** Speech at full level has an RMS near 0.2. */
const FULL_LEVEL = 0.2;

interface AudioOutputListener {
  /** Sound may have become possible or impossible. */
  changed(): void;
  /** The browser blocks sound until the person touches the page, or allows it again. */
  blocked(isBlocked: boolean): void;
  /** Whether there is sound to play: otherwise blocking does not matter. */
  isWanted(): boolean;
}

/** The page's loudspeaker: opened on first use, and resumed as soon as the browser allows it. */
export class AudioOutput {
  readonly #createContext: () => SoundContext;
  readonly #listener: AudioOutputListener;
  #open: { context: SoundContext; analyser: SoundAnalyser } | null = null;
  #samples = new Float32Array(1_024);
  #isMute = false;
  #isBlocked = false;
  #check: ReturnType<typeof setTimeout> | undefined;

  constructor(createContext: () => SoundContext, listener: AudioOutputListener) {
    this.#createContext = createContext;
    this.#listener = listener;
  }

  /** There is no audio output: a call continues as text. */
  get isMute(): boolean {
    return this.#isMute;
  }

  /** The context and the node to connect to; null without audio output. */
  open(): { context: SoundContext; analyser: SoundAnalyser } | null {
    if (this.#open || this.#isMute) return this.#open;
    try {
      const context = this.#createContext();
      const analyser = context.createAnalyser();
      analyser.fftSize = this.#samples.length;
      analyser.connect(context.destination);
      context.addEventListener('statechange', () => {
        if (context.state === 'running') this.setBlocked(false);
        this.#listener.changed();
      });
      this.#open = { context, analyser };
    } catch (error) {
      this.#isMute = true;
      logProblem('This browser gives no audio output.', error);
    }
    return this.#open;
  }

  /** Resumes sound, if the browser allows it. */
  wake(): void {
    const context = this.open()?.context;
    if (!context || context.state === 'running' || context.state === 'closed') return;
    clearTimeout(this.#check);
    this.#check = setTimeout(() => {
      if (context.state !== 'running' && this.#listener.isWanted()) this.setBlocked(true);
    }, BLOCKED_AFTER_MS);
    // While sound is not allowed, this promise stays pending.
    context.resume().catch((error: unknown) => logProblem('The audio output did not start.', error));
  }

  setBlocked(isBlocked: boolean): void {
    if (isBlocked === this.#isBlocked) return;
    this.#isBlocked = isBlocked;
    this.#listener.blocked(isBlocked);
  }

  /** Current loudness, 0 to 1. */
  level(): number {
    if (!this.#open) return 0;
    this.#open.analyser.getFloatTimeDomainData(this.#samples);
    let sum = 0;
    for (const sample of this.#samples) sum += sample * sample;
    return Math.min(1, Math.sqrt(sum / this.#samples.length) / FULL_LEVEL);
  }

  async close(): Promise<void> {
    clearTimeout(this.#check);
    await this.#open?.context
      .close()
      .catch((error: unknown) => logProblem('The audio output did not close.', error));
  }
}
