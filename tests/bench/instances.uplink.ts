import { setTimeout as pause } from 'node:timers/promises';
import type { Socket } from 'socket.io-client';
import type { SpeechAck } from '#shared/realtime';
import { KeptSound } from '../../web/src/features/calls/speech/kept-sound.ts';
import type { Samples } from '../../web/src/features/calls/speech/samples.ts';
import { CLIP_RATE } from '../speech/speech-set.ts';

/** Pause before sending rejected sound again, as on the page. */
const TOO_FAST_MS = 500;

/**
 * One open hands-free microphone over successive connections: keeps its sound by the page's own code, and sends it
 * again when the stream is reopened. One piece is in transit at a time.
 */
export class InstanceUplink {
  /** The page's own memory of sound to send again. */
  readonly kept = new KeptSound(CLIP_RATE, false, []);
  readonly #refused: (sentence: string) => void;
  /** Counts the starts, so that late answers of earlier ones are ignored. */
  #run = 0;
  #line: { socket: Socket; conversationId: string } | null = null;
  #index = 0;
  #isSending = false;

  /** @param refused called with the reason when nobody listens */
  constructor(refused: (sentence: string) => void) {
    this.#refused = refused;
  }

  get isOpen(): boolean {
    return this.#line?.socket.connected === true;
  }

  push(samples: Samples): void {
    this.kept.push(samples);
    this.kept.forget();
    void this.#pump();
  }

  /** Starts, or restarts with all kept sound. */
  begin(socket: Socket, conversationId: string): void {
    const run = ++this.#run;
    this.#line = { socket, conversationId };
    this.#index = 0;
    this.#isSending = false;
    this.kept.rewind();
    const start = { conversationId, sampleRate: CLIP_RATE, mode: 'hands-free' };
    socket.emit('speech_start', start, (ack: SpeechAck) => this.#answered(run, ack));
    void this.#pump();
  }

  /** Nobody listens any more. */
  end(): void {
    this.#run++;
    this.#line = null;
  }

  async #pump(): Promise<void> {
    const run = this.#run;
    if (this.#isSending) return;
    this.#isSending = true;
    while (run === this.#run && this.#line?.socket.connected && !this.kept.isAllSent) {
      const { socket } = this.#line;
      const payload = { index: this.#index++, audio: Buffer.from(this.kept.next().buffer) };
      let ack: SpeechAck | null = null;
      do {
        if (ack) await pause(TOO_FAST_MS);
        // A lost connection answers nothing: the next one restarts.
        ack = await socket.emitWithAck('speech_audio', payload).catch(() => null);
      } while (run === this.#run && ack?.ok === false && ack.error.code === 'rate-limited');
      if (ack) this.#answered(run, ack);
    }
    if (run === this.#run) this.#isSending = false;
  }

  #answered(run: number, ack: SpeechAck): void {
    if (run !== this.#run || ack.ok) return;
    this.end();
    this.#refused(ack.error.message);
  }
}
