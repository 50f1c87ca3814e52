import type { RecognitionEngine, RecognitionRequest } from '#server/engines/recognition/contract';
import { VOICE_FRAME_SAMPLES, type VoiceActivityEngine } from '#server/engines/voice-activity/contract';
import { EngineError } from '#server/lib/engine-error';
import type { TurnTakingListener } from './contract.ts';

/**
 * Synthetic speech for tests: each word is a stretch of constant samples whose level identifies the word;
 * silence is zeros. The detector looks at levels; the recognition reads the words from whatever part of the
 * sound it gets.
 */
export class ScriptedSpeech {
  readonly #words: string[] = [];
  readonly requests: RecognitionRequest[] = [];
  /** Errors of the next final recognitions, one each. */
  readonly failures: Error[] = [];
  /** Number of final recognitions that will return no words. */
  deaf = 0;
  /** While set, recognition waits for `letThrough`. */
  slow = false;
  #held: (() => void)[] = [];

  /**
   * The sound of a text; each word takes `wordMs` (a multiple of 32 ms). Words in brackets, like "[cough]",
   * are noises.
   */
  say(text: string, wordMs = 256): Float32Array {
    const spoken = text.split(' ').filter(Boolean);
    const perWord = Math.round((wordMs * 16) / VOICE_FRAME_SAMPLES) * VOICE_FRAME_SAMPLES;
    const sound = new Float32Array(spoken.length * perWord);
    for (const [index, word] of spoken.entries()) {
      this.#words.push(word);
      sound.fill(this.#words.length / 4096, index * perWord, (index + 1) * perWord);
    }
    return sound;
  }

  readonly voiceActivity: VoiceActivityEngine = {
    name: 'scripted',
    status: () => ({ state: 'ready', message: 'Ready.' }),
    open: () => {
      let rest: number[] = [];
      return {
        accept: async (samples) => {
          const frames: boolean[] = [];
          for (const sample of samples) {
            rest.push(sample);
            if (rest.length < VOICE_FRAME_SAMPLES) continue;
            frames.push(rest.filter((value) => value > 0).length > VOICE_FRAME_SAMPLES / 2);
            rest = [];
          }
          return frames;
        },
        close: () => {},
      };
    },
    close: async () => {},
  };

  readonly recognition: RecognitionEngine = {
    name: 'scripted',
    status: () => ({ state: 'ready', message: 'Ready.' }),
    recognize: async (request) => {
      this.requests.push(request);
      const failure = request.urgency === 'final' ? this.failures.shift() : undefined;
      if (failure) throw failure;
      if (this.slow) {
        await new Promise<void>((resolve, reject) => {
          this.#held.push(resolve);
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
        });
      }
      request.signal?.throwIfAborted();
      if (request.urgency === 'final' && this.deaf > 0) {
        this.deaf--;
        return '';
      }
      return this.#read(request.samples);
    },
    close: async () => {},
  };

  /** Lets all waiting recognitions continue. */
  letThrough(): void {
    this.slow = false;
    for (const resolve of this.#held.splice(0)) resolve();
  }

  #read(samples: Float32Array): string {
    const words: string[] = [];
    let run = 0;
    for (let at = 0; at <= samples.length; at++) {
      const level = samples[at] ?? 0;
      const before = at > 0 ? (samples[at - 1] ?? 0) : 0;
      if (level === before && at < samples.length) {
        run++;
        continue;
      }
      const word = this.#words[Math.round(before * 4096) - 1];
      // Half a frame of a word is not recognised.
      if (before > 0 && word && !word.startsWith('[') && run >= VOICE_FRAME_SAMPLES) words.push(word);
      run = 1;
    }
    return words.join(' ');
  }
}

export const silence = (ms: number) => new Float32Array(ms * 16);
export const brokenEngine = (retryable = false) =>
  new EngineError('The recognition is broken.', { retryable });

/** Records the events, one line each. */
export function aListener(): TurnTakingListener & { told: string[] } {
  const told: string[] = [];
  return {
    told,
    speaking: (isSpeaking) => told.push(isSpeaking ? 'speaking' : 'quiet'),
    partial: (text) => told.push(`partial: ${text}`),
    hold: () => told.push('hold'),
    release: () => told.push('release'),
    interrupt: () => told.push('interrupt'),
    candidate: (text) => told.push(`candidate: ${text}`),
    utterance: ({ text, continues }) => told.push(`utterance: ${text}${continues ? ' (continues)' : ''}`),
    failed: (message, fatal) => told.push(`${fatal ? 'fatal' : 'failed'}: ${message}`),
  };
}
