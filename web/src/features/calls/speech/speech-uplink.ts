import type { RealtimeError, SpeechAck, SpeechStart } from '#shared/realtime';
import { logProblem } from '#web/lib/log';
import type { Realtime } from '#web/lib/server/socket';
import { t } from '#web/texts/calls';
import { KeptSound } from './kept-sound.ts';
import type { Samples } from './samples.ts';

/** Sound on its way that the server has not taken yet, at most. */
const WINDOW_SECONDS = 2;
/** So much faster than it was spoken the server takes sound without asking for patience. */
const UNHURRIED_SECONDS = 15;
/** Pause before sending again what came too fast. */
const TOO_FAST_MS = 500;
const ATTEMPTS = 3;
const UNANSWERED: Pick<RealtimeError, 'message'> = {
  message: t('noAnswer'),
};

interface UplinkListener {
  /** The server will not listen; the sentence says why. The stream is over. */
  refused(message: string): void;
  /** More was said while the channel was away than is kept: the beginning is lost. */
  dropped(): void;
}

export type SpeechChannel = Pick<Realtime, 'speechStart' | 'speechAudio' | 'speechEnd'>;

interface Stream extends SpeechStart {
  mode: 'push-to-talk' | 'hands-free';
}

/**
 * One stream of speech to the server, with back-pressure: never more than 2 s are under way unacknowledged. After a lost
 * channel it begins again with what is kept: all of a push to talk, of hands-free what was being said.
 */
export class SpeechUplink {
  readonly #channel: SpeechChannel;
  readonly #listener: UplinkListener;
  readonly #stream: Stream;
  readonly #kept: KeptSound;
  /** Samples that are not acknowledged yet. */
  #underWay = 0;
  #index = 0;
  /** Counts the beginnings: what an earlier one still answers is of no interest. */
  #run = 0;
  #isOnline: boolean;
  /** Since when this run has been sending, on the page's own clock, and how many samples it has sent. */
  #begunAt = 0;
  #sentSamples = 0;
  #attempts = 0;
  #isPausing = false;
  /** Something was lost since the channel went away. */
  #hasDropped = false;
  #isOver = false;
  #drained: (() => void) | null = null;
  #broken: ((error: Error) => void) | null = null;

  /**
   * @param options.isOnline whether the channel stands; otherwise it begins with `channelBack`
   * @param options.backlog what has been recorded already
   */
  constructor(
    channel: SpeechChannel,
    stream: Stream,
    listener: UplinkListener,
    { isOnline = true, backlog = [] }: { isOnline?: boolean; backlog?: readonly Samples[] } = {},
  ) {
    this.#channel = channel;
    this.#stream = stream;
    this.#listener = listener;
    this.#isOnline = isOnline;
    this.#kept = new KeptSound(stream.sampleRate, stream.mode === 'push-to-talk', backlog);
    if (isOnline) void this.#begin();
  }

  /** Takes the next sound. */
  push(samples: Samples): void {
    if (this.#isOver) return;
    this.#kept.push(samples);
    this.#forget();
    this.#pump();
  }

  /** Somebody speaks: what is said is kept until it is understood. */
  speechBegan(): void {
    this.#kept.speechBegan();
  }

  /** What was said so far was understood whole: once it is stored it need not be said again. */
  understoodWhole(): void {
    this.#kept.understoodWhole();
  }

  /** What was understood whole, the oldest first, is a message or refused: it need not be said again. */
  understood(): void {
    this.#kept.understood();
    this.#forget();
  }

  /** What was said since was nothing. */
  wasNothing(): void {
    this.#kept.wasNothing();
    this.#forget();
  }

  channelLost(): void {
    this.#isOnline = false;
    this.#run++;
    this.#broken?.(new Error('The channel was lost.'));
  }

  /** The channel is back and the conversation goes on there. */
  channelBack(): void {
    if (this.#isOver || this.#isOnline) return;
    this.#isOnline = true;
    this.#attempts = 0;
    this.#hasDropped = false;
    void this.#begin();
  }

  /**
   * Sends what is left and ends the stream.
   * @returns what was understood of a push to talk; null when it could not be sent, or `signal` ended the waiting
   */
  async end(signal: AbortSignal): Promise<string | null> {
    while (!this.#isOver && !signal.aborted) {
      try {
        await this.#everythingSent(signal);
        const ack = await unlessAborted(
          this.#channel.speechEnd({ conversationId: this.#stream.conversationId }),
          signal,
        );
        this.#isOver = true;
        if (ack.ok) return ack.text ?? '';
        this.#listener.refused(ack.error.message);
        return null;
      } catch (error) {
        if (!this.#isOver) logProblem('The end of what was said did not arrive.', error);
        await this.#channelReturns(signal);
      }
    }
    this.#isOver = true;
    return null;
  }

  /** Ends the stream; what is not yet understood is forgotten. */
  discard(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#broken?.(new Error('What was said is discarded.'));
    if (!this.#isOnline) return;
    this.#channel
      .speechEnd({ conversationId: this.#stream.conversationId, discard: true })
      .catch((error: unknown) => logProblem('The server was not told that nobody speaks any more.', error));
  }

  /** The server ended the stream itself. */
  ended(): void {
    this.#isOver = true;
    this.#broken?.(new Error('The server ended the stream.'));
  }

  /** Begins, or begins again with everything that is kept. */
  async #begin(): Promise<void> {
    const run = ++this.#run;
    this.#kept.rewind();
    this.#underWay = 0;
    this.#index = 0;
    this.#begunAt = performance.now();
    this.#sentSamples = 0;
    const started = this.#channel.speechStart(this.#stream);
    // Sound may follow at once: the channel keeps the order.
    this.#pump();
    try {
      this.#answered(run, await started);
    } catch (error) {
      this.#failed(run, error);
    }
  }

  #pump(): void {
    while (
      this.#isOnline &&
      !this.#isOver &&
      !this.#isPausing &&
      !this.#kept.isAllSent &&
      this.#underWay < this.#window()
    )
      void this.#send(this.#run, this.#index++, this.#kept.next());
    if (this.#kept.isAllSent && this.#underWay === 0) this.#drained?.();
  }

  /**
   * How many samples may be under way. Far ahead of time one piece at a time: what the server asks to have again must
   * not have been overtaken.
   */
  #window(): number {
    const { sampleRate } = this.#stream;
    const elapsed = (performance.now() - this.#begunAt) / 1_000;
    const isFarAhead = this.#sentSamples / sampleRate - elapsed > UNHURRIED_SECONDS;
    return isFarAhead ? 1 : WINDOW_SECONDS * sampleRate;
  }

  async #send(run: number, index: number, piece: Samples): Promise<void> {
    this.#underWay += piece.length;
    this.#sentSamples += piece.length;
    try {
      for (;;) {
        const ack = await this.#channel.speechAudio(index, piece.slice().buffer);
        if (run !== this.#run || this.#isOver) return;
        if (ack.ok || ack.error.code !== 'rate-limited') {
          this.#underWay -= piece.length;
          this.#attempts = 0;
          this.#answered(run, ack);
          return;
        }
        await this.#pause();
        if (run !== this.#run || this.#isOver) return;
      }
    } catch (error) {
      this.#failed(run, error);
    }
  }

  /** The server asks for less haste. */
  async #pause(): Promise<void> {
    this.#isPausing = true;
    await new Promise((resolve) => setTimeout(resolve, TOO_FAST_MS));
    this.#isPausing = false;
  }

  #answered(run: number, ack: SpeechAck): void {
    if (run !== this.#run || this.#isOver) return;
    if (ack.ok) {
      this.#forget();
      this.#pump();
      return;
    }
    this.#isOver = true;
    this.#broken?.(new Error('The server refused to listen.'));
    this.#listener.refused(ack.error.message);
  }

  /** No acknowledgement: of a lost channel its return takes care, on one that stands it is tried again. */
  #failed(run: number, error: unknown): void {
    if (run !== this.#run || this.#isOver || !this.#isOnline) return;
    logProblem('What was said was not acknowledged.', error);
    this.#attempts++;
    if (this.#attempts < ATTEMPTS) {
      void this.#begin();
      return;
    }
    this.#isOver = true;
    this.#broken?.(new Error('The server does not answer.'));
    this.#listener.refused(UNANSWERED.message);
  }

  #everythingSent(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#isOnline || this.#isOver) {
        reject(new Error('The channel is away.'));
        return;
      }
      const settle = (then: () => void) => {
        this.#drained = null;
        this.#broken = null;
        signal.removeEventListener('abort', onAbort);
        then();
      };
      const onAbort = () => settle(() => reject(new Error('Waited long enough.')));
      signal.addEventListener('abort', onAbort);
      this.#drained = () => settle(resolve);
      this.#broken = (error) => settle(() => reject(error));
      this.#pump();
    });
  }

  /** Waits for the channel; at once where it stands, or nothing is to be waited for any more. */
  #channelReturns(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!this.#isOnline && !this.#isOver && !signal.aborted) return;
        clearInterval(timer);
        resolve();
      };
      const timer = setInterval(look, 100);
    });
  }

  #forget(): void {
    if (!this.#kept.forget() || this.#hasDropped) return;
    this.#hasDropped = true;
    this.#listener.dropped();
  }
}

/** @throws what `signal` was aborted with, when that comes first */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
