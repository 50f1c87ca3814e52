import type { User } from '#shared/accounts';
import type {
  ConversationStarted,
  ConversationUpdated,
  MessageStored,
  RealtimeError,
} from '#shared/realtime';
import { logProblem } from '#web/lib/log';
import type { Realtime, RealtimeListener } from '#web/lib/server/socket';
import { t } from '#web/texts/calls';
import type { Floor } from '../floor/floor.ts';
import type { Loudspeaker } from '../floor/loudspeaker.ts';
import type { Talk } from '../speech/talk.ts';
import type { CallAction } from '../state/call-reducer.ts';
import type { CallState } from '../state/call-state.ts';
import { addresseeOfCall, type CallTarget } from './addressee.ts';
import type { Outbox } from './outbox.ts';

/** The parts that events of the channel reach. */
export interface CallParts {
  loudspeaker: Loudspeaker;
  floor: Floor;
  talk: Talk;
  outbox: Outbox;
}

export interface CallChannelOptions {
  user: User;
  target: CallTarget;
  /** An open conversation to continue. */
  conversationId: string | null;
  /** Opens the real-time channel. */
  connect: (listener: RealtimeListener) => Realtime;
  /** The server no longer knows the session. */
  onSignedOut: () => void;
  /** The conversation has another title, label or outcome, or new contact details. */
  onUpdated: (event: ConversationUpdated) => void;
  getState: () => CallState;
  dispatch: (action: CallAction) => void;
  /** Called when an event arrives, not before. */
  parts: () => CallParts;
}

/** The real-time channel of one call: keeps its conversation going, and passes events to the parts. */
export class CallChannel {
  readonly realtime: Realtime;
  readonly #options: CallChannelOptions;
  #resumable: string | null;
  #isStarting = false;
  #isOnline = false;

  constructor(options: CallChannelOptions) {
    this.#options = options;
    this.#resumable = options.conversationId;
    this.realtime = options.connect(this.#listener());
  }

  /** Whether the channel is connected. */
  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Starts the conversation, or continues it after a reconnect; only once at a time. */
  async start(): Promise<void> {
    const { user, target, parts, getState, dispatch } = this.#options;
    if (this.#isStarting || getState().ended) return;
    this.#isStarting = true;
    const goingOn = getState().conversationId ?? this.#resumable;
    try {
      const ack = await this.realtime.start({
        userId: user._id,
        ...addresseeOfCall(target),
        ...(goingOn ? { conversationId: goingOn } : {}),
        ...(parts().loudspeaker.isOn ? {} : { voice: false }),
      });
      this.#isStarting = false;
      if (!ack.ok) this.#refused(ack.error, goingOn);
    } catch (error) {
      this.#isStarting = false;
      // A lost channel restarts by itself; a server that does not acknowledge may have started regardless.
      if (this.#isOnline && getState().conversationId === null)
        dispatch({ type: 'start-failed', problem: t('startFailed') });
      logProblem('The call was not started.', error);
    }
  }

  close(): void {
    this.#isOnline = false;
    this.realtime.close();
  }

  #refused(error: RealtimeError, goingOn: string | null): void {
    const { getState, dispatch, onSignedOut } = this.#options;
    const isGone = error.code === 'not-found' || error.code === 'conversation-ended';
    if (error.code === 'unauthenticated') {
      onSignedOut();
    } else if (!goingOn || !isGone) {
      dispatch({ type: 'start-failed', problem: error.message });
    } else if (getState().conversationId !== null) {
      // The call has ended elsewhere.
      this.#over();
    } else {
      // After a reload, starts a new call.
      this.#resumable = null;
      dispatch({ type: 'starting-over' });
      void this.start();
    }
  }

  #listener(): RealtimeListener {
    const { parts, getState, dispatch, onUpdated, onSignedOut } = this.#options;
    /** Ignores events of other conversations. */
    const ours =
      <Event extends { conversationId: string }>(take: (event: Event) => void) =>
      (event: Event) => {
        if (event.conversationId === getState().conversationId) take(event);
      };
    return {
      connected: () => {
        this.#isOnline = true;
        dispatch({ type: 'connected' });
        void this.start();
      },
      lost: () => {
        this.#isOnline = false;
        parts().floor.channelLost();
        parts().talk.channelLost();
        dispatch({ type: 'connection-lost' });
      },
      signedOut: onSignedOut,
      started: (event) => this.#started(event),
      askedToStart: () => void this.start(),
      chunk: ours((event) => {
        dispatch({ type: 'chunk', event, at: now() });
        parts().loudspeaker.takeSentence(event.responseId, event.index, event.audioData, event.isLast);
      }),
      response: ours((event) => {
        dispatch({ type: 'response', event });
        parts().loudspeaker.takeWhole(event.responseId, event);
      }),
      typing: (typing) => dispatch({ type: 'typing', typing }),
      error: (event) => this.#failed(event),
      messageStored: ours((event) => this.#stored(event)),
      conversationUpdated: ours((event) => {
        dispatch({ type: 'updated', event });
        onUpdated(event);
      }),
      transcript: ours((event) => parts().talk.transcript(event)),
      speechActivity: ours((event) => parts().talk.speechActivity(event)),
      bargeIn: ours((event) => parts().floor[event.phase]()),
      // The goodbye is said, or the call was ended elsewhere.
      speechEnded: ours((event) => {
        if (event.code === 'conversation-ended') this.#over();
        else parts().talk.speechEnded(event);
      }),
    };
  }

  #over(): void {
    const { parts, dispatch } = this.#options;
    parts().talk.cancel();
    dispatch({ type: 'ended' });
  }

  #started(event: ConversationStarted): void {
    const { parts, getState, dispatch } = this.#options;
    const { loudspeaker, floor, talk, outbox } = parts();
    const countOwn = () => getState().entries.filter((entry) => entry.kind === 'customer').length;
    const ownBefore = countOwn();
    dispatch({ type: 'started', event, at: now() });
    // The last words before the loss have become a message, or they are sent again.
    talk.channelBack(countOwn() - ownBefore);
    const { welcomeMessage: welcome } = event;
    if (welcome) loudspeaker.takeWhole(welcome._id, welcome);
    floor.channelBack();
    outbox.resume(event.answering === true);
  }

  /** Hands-free speech comes back as a message; so do messages from other tabs. */
  #stored({ message }: MessageStored): void {
    const { parts, dispatch } = this.#options;
    const { floor, talk } = parts();
    if (talk.mode !== 'hands-free') {
      dispatch({ type: 'said-elsewhere', message });
      return;
    }
    // The customer speaks, so older replies are no longer played.
    floor.stop();
    dispatch({ type: 'turn-committed', message });
    talk.committed();
  }

  #failed(event: RealtimeError): void {
    const { parts, dispatch, onSignedOut } = this.#options;
    if (event.code === 'unauthenticated') {
      onSignedOut();
      return;
    }
    const { clientMessageId: id, text, message: problem } = event;
    if (id !== undefined && text !== undefined) {
      dispatch({ type: 'not-committed', id, text, problem, at: now() });
      parts().talk.committed();
    }
    dispatch({ type: 'error', event });
  }
}

const now = () => new Date().toISOString();
