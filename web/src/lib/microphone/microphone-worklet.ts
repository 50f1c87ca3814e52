/**
 * Runs in the audio thread, which is not throttled in background pages: collects the microphone's sound in
 * chunks of 16-bit samples and posts each as an ArrayBuffer. Any message makes it post what it has.
 */

/** AudioWorkletGlobalScope's interface, which is missing in TypeScript's DOM library. */
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: Float32Array[][]): boolean;
}
declare function registerProcessor(
  name: string,
  processor: new (options: { processorOptions: { chunkFrames: number } }) => AudioWorkletProcessor,
): void;

class MicrophoneProcessor extends AudioWorkletProcessor {
  readonly #size: number;
  #chunk: Int16Array<ArrayBuffer>;
  #filled = 0;

  constructor(options: { processorOptions: { chunkFrames: number } }) {
    super();
    this.#size = options.processorOptions.chunkFrames;
    this.#chunk = new Int16Array(this.#size);
    this.port.onmessage = () => this.#post();
  }

  process(inputs: Float32Array[][]): boolean {
    const samples = inputs[0]?.[0];
    if (!samples) return true;
    for (const sample of samples) {
      // Quantised as in WAV files: -1 is -32768, and nothing wraps around.
      this.#chunk[this.#filled++] = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
      if (this.#filled === this.#size) this.#post();
    }
    return true;
  }

  /** An empty chunk is posted, too, to confirm that everything was sent. */
  #post(): void {
    const sound = this.#filled === this.#size ? this.#chunk : this.#chunk.slice(0, this.#filled);
    this.port.postMessage(sound.buffer, [sound.buffer]);
    this.#chunk = new Int16Array(this.#size);
    this.#filled = 0;
  }
}

registerProcessor('microphone', MicrophoneProcessor);
