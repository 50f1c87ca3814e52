import type { SoundBuffer, SoundContext, SoundNode, SoundSource } from './sound-context.ts';

const SAMPLE_RATE = 1_000;

/** An encoded clip that the fake can decode: seconds of sound, and the silence around it. */
export function clip(seconds: number, silence: { before?: number; after?: number } = {}): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ seconds, before: 0, after: 0, ...silence }));
}

/** A clip that the fake was asked to play. Seconds on the audio clock. */
interface FakePlayed {
  startsAt: number;
  offset: number;
  duration: number;
  stoppedAt: number | null;
}

/** An audio output whose clock the test moves. */
export class FakeSoundContext implements SoundContext {
  currentTime = 0;
  outputLatency = 0;
  state = 'running';
  readonly destination: SoundNode = node();
  readonly played: FakePlayed[] = [];
  /** All requested changes of loudness: value at time. */
  readonly fades: { value: number; time: number }[] = [];
  loudness = 0;
  isClosed = false;
  readonly #sources: FakeSource[] = [];
  readonly #stateListeners: (() => void)[] = [];

  addEventListener(_type: 'statechange', listener: () => void): void {
    this.#stateListeners.push(listener);
  }

  async resume(): Promise<void> {}

  async close(): Promise<void> {
    this.isClosed = true;
  }

  createAnalyser() {
    return {
      ...node(),
      fftSize: 2_048,
      getFloatTimeDomainData: (samples: Float32Array) => {
        samples.fill(this.loudness);
      },
    };
  }

  createGain() {
    const note = (value: number, time: number) => this.fades.push({ value, time });
    return { ...node(), gain: { setValueAtTime: note, linearRampToValueAtTime: note } };
  }

  createBufferSource(): SoundSource {
    const source = new FakeSource(this.played);
    this.#sources.push(source);
    return source;
  }

  async decodeAudioData(encoded: ArrayBuffer): Promise<SoundBuffer> {
    const { seconds, before, after } = JSON.parse(new TextDecoder().decode(encoded));
    const samples = new Float32Array(Math.round((before + seconds + after) * SAMPLE_RATE));
    samples.fill(0.3, before * SAMPLE_RATE, (before + seconds) * SAMPLE_RATE);
    return {
      duration: samples.length / SAMPLE_RATE,
      sampleRate: SAMPLE_RATE,
      getChannelData: () => samples,
    };
  }

  /** Changes what the browser allows, and fires the event. */
  setState(state: string): void {
    this.state = state;
    for (const listener of this.#stateListeners) listener();
  }

  /** Advances the clock: sources end at their time, in order. */
  async advance(seconds: number): Promise<void> {
    const until = this.currentTime + seconds;
    for (;;) {
      const next = this.#sources
        .filter((source) => source.endsAt !== null && source.endsAt <= until)
        .sort(byEnd)[0];
      if (!next || next.endsAt === null) break;
      this.currentTime = Math.max(this.currentTime, next.endsAt);
      next.end();
      await settle();
    }
    this.currentTime = until;
    await settle();
  }
}

/** Lets pending promises continue. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

const byEnd = (a: FakeSource, b: FakeSource) => (a.endsAt ?? 0) - (b.endsAt ?? 0);
const node = (): SoundNode => ({ connect: () => undefined, disconnect: () => {} });

class FakeSource implements SoundSource {
  buffer: SoundBuffer | null = null;
  endsAt: number | null = null;
  readonly #log: FakePlayed[];
  readonly #listeners: (() => void)[] = [];
  #entry: FakePlayed | null = null;

  constructor(log: FakePlayed[]) {
    this.#log = log;
  }

  connect(): void {}
  disconnect(): void {}

  addEventListener(_type: 'ended', listener: () => void): void {
    this.#listeners.push(listener);
  }

  start(startsAt: number, offset: number, duration: number): void {
    this.#entry = { startsAt, offset, duration, stoppedAt: null };
    this.#log.push(this.#entry);
    this.endsAt = startsAt + duration;
  }

  stop(time: number): void {
    if (this.#entry) this.#entry.stoppedAt = time;
    this.endsAt = time;
  }

  end(): void {
    this.endsAt = null;
    for (const listener of this.#listeners) listener();
  }
}
