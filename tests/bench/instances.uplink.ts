import { setTimeout as pause } from 'node:timers/promises';
import type { Socket } from 'socket.io-client';
import type { SpeechAck } from '#shared/realtime';
import { KeptSound } from '../../web/src/features/calls/speech/kept-sound.ts';
import type { Samples } from '../../web/src/features/calls/speech/samples.ts';
import { CLIP_RATE } from '../speech/speech-set.ts';

/** Pause before sending again what came too fast, as on the page. */
const TOO_FAST_MS = 500;

/**
 * One microphone that is on, hands-free, over one line after the other: what the page keeps of its sound is kept, by the page's
 * own code, and sent again when the stream is opened anew. One piece is under way at a time.
 */
export class InstanceUplink {
  /** The page's own memory of what may have to be said again. */
  readonly kept = new KeptSound(CLIP_RATE, false, []);
  readonly #refused: (sentence: string) => void;
  /** Counts the beginnings: what an earlier one still answers is of no interest. */
  #run = 0;
  #line: { socket: Socket; conversationId: string } | null = null;
  #index = 0;
  #isSending = false;

  /** @param refused told why nobody listens */
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

  /** Begins, or begins again with everything that is kept. */
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
        // A line that is lost answers nothing: the next one begins anew.
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
