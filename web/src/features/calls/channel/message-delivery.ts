import type { UserMessage } from '#shared/realtime';
import { logProblem } from '#web/lib/log';
import type { Realtime } from '#web/lib/server/socket';
import type { Recording } from '../speech/recording.ts';
import { keepUnsent } from './unsent.ts';

const ATTEMPTS = 3;

export interface DeliveryOptions {
  realtime: Pick<Realtime, 'say'>;
  /** Whether the channel stands. What is not delivered on one that was lost is the owner's to deliver again. */
  isOnline: () => boolean;
  keepsRecordings: () => boolean;
  upload: (conversationId: string, recording: File, transcript: string) => Promise<unknown>;
  stored: (id: string) => void;
  refused: (id: string, problem: string) => void;
  /** The conversation is over. */
  ended: () => void;
}

/** Brings what the customer said to the server: again under the same id until it is acknowledged. */
export class MessageDelivery {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Delivers a message; never rejects.
   * @param recording how it was spoken: it goes first, since it belongs to the message that follows it, and the
   *   message goes out also without
   */
  async deliver(message: UserMessage & { clientMessageId: string }, recording?: Recording): Promise<void> {
    if (recording) await this.#upload(message, recording);
    const { realtime, isOnline, stored, refused, ended } = this.#options;
    const { clientMessageId: id, conversationId } = message;
    for (let attempt = 1; isOnline(); attempt++) {
      try {
        const ack = await realtime.say(message);
        keepUnsent(conversationId, null);
        if (ack.ok) stored(id);
        else if (ack.error.code === 'conversation-ended') ended();
        else refused(id, ack.error.message);
        return;
      } catch (error) {
        logProblem('A message was not acknowledged.', error);
        if (attempt >= ATTEMPTS && isOnline()) {
          refused(id, 'The server does not answer.');
          return;
        }
      }
    }
  }

  async #upload({ conversationId, message }: UserMessage, recording: Recording): Promise<void> {
    if (!this.#options.keepsRecordings()) return;
    try {
      await this.#options.upload(conversationId, recording.toWav(), message);
    } catch (error) {
      logProblem('The recording was not kept.', error);
    }
  }
}
