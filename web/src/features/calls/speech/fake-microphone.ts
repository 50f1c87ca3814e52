import type {
  Microphone,
  MicrophoneDevice,
  MicrophoneError,
  MicrophoneListener,
} from '#web/lib/microphone/microphone';
import type { DictationListener } from '#web/lib/microphone/speech-recognition';
import type { Samples } from './samples.ts';
import type { TalkOptions } from './talk.ts';

/** Sound of one chunk: loud enough to be a voice, or the output of a switched-off microphone. */
export function chunkOfSound(samples = 768, loudness = 6_000): Samples {
  return Int16Array.from({ length: samples }, (_, index) => (index % 2 ? loudness : -loudness));
}

/** The devices and the browser's recognition, played by a test. */
export class FakeMicrophone {
  sampleRate = 16_000;
  devices: MicrophoneDevice[] = [{ deviceId: 'built-in', label: 'Built-in' }];
  /** The result of opening, by the requested device. */
  refusal: ((deviceId: string | null) => MicrophoneError | null) | null = null;
  /** Delays the opening until it resolves, like a browser that asks for permission. */
  asking: Promise<void> | null = null;
  readonly opened: (string | null)[] = [];
  open = 0;
  dictation: DictationListener | null = null;
  /** The browser's recognised text at the end. */
  dictated = '';
  openDictations = 0;
  #listener: MicrophoneListener | null = null;
  #close = () => {};

  asOptions(): Required<Pick<TalkOptions, 'open' | 'list' | 'dictate'>> {
    return {
      open: async (listener, deviceId = null) => {
        this.opened.push(deviceId);
        await this.asking;
        const refused = this.refusal?.(deviceId);
        if (refused) throw refused;
        return this.#openDevice(listener, deviceId ?? 'built-in');
      },
      list: async () => this.devices,
      dictate: (listener) => {
        this.dictation = listener;
        this.openDictations += 1;
        let isOpen = true;
        const close = () => {
          if (isOpen) this.openDictations -= 1;
          isOpen = false;
        };
        return {
          finish: async () => {
            close();
            return this.dictated;
          },
          close,
        };
      },
    };
  }

  /** Produces a chunk of sound. */
  sound(chunk: Samples = chunkOfSound()): void {
    this.#listener?.sound(chunk);
  }

  unplug(reason: 'unplugged' | 'denied' = 'unplugged'): void {
    const listener = this.#listener;
    this.#close();
    listener?.ended(reason);
  }

  silence(isSilenced: boolean): void {
    this.#listener?.silenced(isSilenced);
  }

  #openDevice(listener: MicrophoneListener, deviceId: string): Microphone {
    this.#listener = listener;
    this.open += 1;
    let isOpen = true;
    const close = () => {
      if (isOpen) this.open -= 1;
      isOpen = false;
      if (this.#listener === listener) this.#listener = null;
    };
    this.#close = close;
    return {
      sampleRate: this.sampleRate,
      deviceId,
      label: this.devices.find((device) => device.deviceId === deviceId)?.label ?? deviceId,
      finish: async () => close(),
      close,
    };
  }
}
