import type { RealtimeError, SpeechAck, SpeechStart } from '#shared/realtime';
import { logProblem } from '#web/lib/log';
import type { Realtime } from '#web/lib/server/socket';
import { t } from '#web/texts/calls';
import { KeptSound } from './kept-sound.ts';
import type { Samples } from './samples.ts';

/** The most sound in transit without acknowledgement. */
const WINDOW_SECONDS = 2;
/** Sound that is ahead of real time by up to this much is accepted without a request to slow down. */
const UNHURRIED_SECONDS = 15;
/** Pause before sending rejected sound again. */
const TOO_FAST_MS = 500;
const ATTEMPTS = 3;
const UNANSWERED: Pick<RealtimeError, 'message'> = {
  message: t('noAnswer'),
};

interface UplinkListener {
  /** The server refuses to listen; the sentence gives the reason. The stream is over. */
  refused(message: string): void;
  /** More was said during a lost channel than is kept: the beginning is lost. */
  dropped(): void;
}

export type SpeechChannel = Pick<Realtime, 'speechStart' | 'speechAudio' | 'speechEnd'>;

interface Stream extends SpeechStart {
  mode: 'push-to-talk' | 'hands-free';
}

/**
 * One stream of speech to the server, with back-pressure: never more than 2 s are in transit unacknowledged. After a
 * lost channel it starts again with the kept sound: all of a push to talk, or the current utterance of hands-free.
 */
export class SpeechUplink {
  readonly #channel: SpeechChannel;
  readonly #listener: UplinkListener;
  readonly #stream: Stream;
  readonly #kept: KeptSound;
  /** Samples that are not acknowledged yet. */
  #underWay = 0;
  #index = 0;
  /** Counts the starts, so that late answers of earlier ones are ignored. */
  #run = 0;
  #isOnline: boolean;
  /** When this run started to send, on the page's own clock, and the samples it has sent. */
  #begunAt = 0;
  #sentSamples = 0;
  #attempts = 0;
  #isPausing = false;
  /** Sound was lost since the channel went away. */
  #hasDropped = false;
  #isOver = false;
  #drained: (() => void) | null = null;
  #broken: ((error: Error) => void) | null = null;

  /**
   * @param options.isOnline whether the channel is connected; otherwise it starts with `channelBack`
   * @param options.backlog sound recorded already
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

  /** Speech has begun: keeps it until it is understood. */
  speechBegan(): void {
    this.#kept.speechBegan();
  }

  /** All sound so far was understood: once stored, it need not be sent again. */
  understoodWhole(): void {
    this.#kept.understoodWhole();
  }

  /** The oldest understood utterance is a message or was refused: it need not be sent again. */
  understood(): void {
    this.#kept.understood();
    this.#forget();
  }

  /** The sound since then held no speech. */
  wasNothing(): void {
    this.#kept.wasNothing();
    this.#forget();
  }

  channelLost(): void {
    this.#isOnline = false;
    this.#run++;
    this.#broken?.(new Error('The channel was lost.'));
  }

  /** The channel is back and the conversation continues. */
  channelBack(): void {
    if (this.#isOver || this.#isOnline) return;
    this.#isOnline = true;
    this.#attempts = 0;
    this.#hasDropped = false;
    void this.#begin();
  }

  /**
   * Sends the rest and ends the stream.
   * @returns the text of a push to talk; null if it could not be sent, or `signal` ended the waiting
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

  /** Ends the stream and discards what is not yet understood. */
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

  /** Starts, or restarts with all kept sound. */
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
   * The number of samples allowed in transit. Far ahead of real time, only one piece at a time, so that none overtakes
   * a piece that the server asks to have again.
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

  /** The server asks to slow down. */
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

  /** No acknowledgement: a lost channel restarts on its return; on a connected one this tries again. */
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

  /** Waits for the channel; resolves at once if it is connected, or the waiting is aborted. */
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

/** @throws the reason of `signal`, if it is aborted first */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
