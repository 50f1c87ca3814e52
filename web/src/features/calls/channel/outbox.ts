import type { User } from '#shared/accounts';
import type { UserMessage } from '#shared/realtime';
import { randomId } from '#web/lib/id';
import { logProblem } from '#web/lib/log';
import type { Realtime } from '#web/lib/server/socket';
import { t } from '#web/texts/calls';
import type { Recording } from '../speech/recording.ts';
import type { CallAction } from '../state/call-reducer.ts';
import { type CallState, unansweredEntry } from '../state/call-state.ts';
import { addresseeOfMessage, type CallTarget } from './addressee.ts';
import { keepUnsent, readUnsent } from './unsent.ts';

const ATTEMPTS = 3;

export interface OutboxOptions {
  user: User;
  target: CallTarget;
  /** Whether the channel is connected; after a loss `resume` sends again what did not arrive. */
  isOnline: () => boolean;
  say: Realtime['say'];
  /** Whether replies are spoken. */
  isVoiceOn: () => boolean;
  keepsRecordings: () => boolean;
  upload: (conversationId: string, recording: File, transcript: string) => Promise<unknown>;
  getState: () => CallState;
  dispatch: (action: CallAction) => void;
  /** Called when the conversation is over. */
  ended: () => void;
}

/** The customer's messages on their way to the server: sent again under the same id until acknowledged. */
export class Outbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * Shows a message as being sent, and sends it.
   * @param recording of the spoken message
   */
  say(text: string, recording?: Recording): void {
    const { getState, dispatch } = this.#options;
    const { conversationId } = getState();
    if (conversationId === null) return;
    const message = { id: randomId(), text: text.trim(), at: new Date().toISOString() };
    // Survives a reload of the page.
    keepUnsent(conversationId, message);
    dispatch({ type: 'said', ...message, isSpoken: recording !== undefined });
    void this.#deliver(message.id, message.text, recording);
  }

  /** Sends a refused or unanswered message again. */
  sayAgain(id: string, text: string): void {
    this.#options.dispatch({ type: 'saying-again', id });
    void this.#deliver(id, text);
  }

  /**
   * Sends messages that the server has not acknowledged, and asks again for a missing answer.
   * @param isAnswered another client's request for the last answer is already running
   */
  resume(isAnswered: boolean): void {
    const { getState, dispatch } = this.#options;
    const { conversationId, entries } = getState();
    const unsent = conversationId === null ? null : readUnsent(conversationId);
    if (unsent && !entries.some((entry) => entry.id === unsent.id)) dispatch({ type: 'said', ...unsent });
    for (const entry of getState().entries)
      if (entry.kind === 'customer' && entry.delivery === 'sending') void this.#deliver(entry.id, entry.text);
    const unanswered = unansweredEntry(getState());
    if (unanswered && !isAnswered) this.sayAgain(unanswered.id, unanswered.text);
  }

  /** Never rejects; after a loss of the channel `resume` does the rest. */
  async #deliver(id: string, text: string, recording?: Recording): Promise<void> {
    const { user, target, getState, dispatch, isVoiceOn, isOnline, say, ended } = this.#options;
    const { conversationId } = getState();
    if (conversationId === null) return;
    const message: UserMessage = {
      conversationId,
      message: text,
      ...(target.kind === 'simulator' ? {} : { userId: user._id }),
      ...addresseeOfMessage(target),
      clientMessageId: id,
      ...(isVoiceOn() ? {} : { voice: false }),
    };
    if (recording) await this.#upload(message, recording);
    for (let attempt = 1; isOnline(); attempt++) {
      try {
        const ack = await say(message);
        keepUnsent(conversationId, null);
        if (ack.ok) dispatch({ type: 'stored', id, text: ack.message ?? text });
        else if (ack.error.code === 'conversation-ended') ended();
        else dispatch({ type: 'refused', id, problem: ack.error.message });
        return;
      } catch (error) {
        logProblem('A message was not acknowledged.', error);
        if (attempt < ATTEMPTS || !isOnline()) continue;
        dispatch({ type: 'refused', id, problem: t('transcript.serverSilent') });
        return;
      }
    }
  }

  /** The recording is uploaded first, since it belongs to the next message; without it the message is sent alone. */
  async #upload({ conversationId, message }: UserMessage, recording: Recording): Promise<void> {
    if (!this.#options.keepsRecordings()) return;
    try {
      await this.#options.upload(conversationId, recording.toWav(), message);
    } catch (error) {
      logProblem('The recording was not kept.', error);
    }
  }
}
