/** The part of the Web Audio API that the player uses, implemented by AudioContext and by a test's fake. */
export interface SoundContext {
  /** Seconds on the audio clock. */
  readonly currentTime: number;
  readonly outputLatency: number;
  /** Safari also knows "interrupted". */
  readonly state: string;
  readonly destination: SoundNode;
  addEventListener(type: 'statechange', listener: () => void): void;
  resume(): Promise<void>;
  close(): Promise<void>;
  createAnalyser(): SoundAnalyser;
  createGain(): SoundGain;
  createBufferSource(): SoundSource;
  decodeAudioData(encoded: ArrayBuffer): Promise<SoundBuffer>;
}

export interface SoundNode {
  connect(destination: SoundNode): unknown;
  disconnect(): void;
}

export interface SoundAnalyser extends SoundNode {
  fftSize: number;
  getFloatTimeDomainData(samples: Float32Array<ArrayBuffer>): void;
}

export interface SoundGain extends SoundNode {
  readonly gain: {
    setValueAtTime(value: number, time: number): unknown;
    linearRampToValueAtTime(value: number, time: number): unknown;
  };
}

export interface SoundSource extends SoundNode {
  buffer: SoundBuffer | null;
  addEventListener(type: 'ended', listener: () => void): void;
  start(when: number, offset: number, duration: number): void;
  stop(when: number): void;
}

export interface SoundBuffer {
  readonly duration: number;
  readonly sampleRate: number;
  getChannelData(channel: number): Float32Array;
}
