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

/** What the events of the channel reach. */
export interface CallParts {
  loudspeaker: Loudspeaker;
  floor: Floor;
  talk: Talk;
  outbox: Outbox;
}

export interface CallChannelOptions {
  user: User;
  target: CallTarget;
  /** An open conversation to go on with. */
  conversationId: string | null;
  /** Opens the real-time channel. */
  connect: (listener: RealtimeListener) => Realtime;
  /** The server no longer knows the session. */
  onSignedOut: () => void;
  /** The conversation has another title, label or outcome, or the customer left how to reach them. */
  onUpdated: (event: ConversationUpdated) => void;
  getState: () => CallState;
  dispatch: (action: CallAction) => void;
  /** Asked for when something comes, not before. */
  parts: () => CallParts;
}

/** The real-time channel of one call: keeps the conversation going on it, and brings what comes to whom it concerns. */
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

  /** Whether the channel stands. */
  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Starts the conversation, or goes on with it after a reconnect; one at a time. */
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
      // A lost channel starts again by itself; a server that does not acknowledge may have started all the same.
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
      // In the middle of a call that is over.
      this.#over();
    } else {
      // After a reload a new call is what was wanted.
      this.#resumable = null;
      dispatch({ type: 'starting-over' });
      void this.start();
    }
  }

  #listener(): RealtimeListener {
    const { parts, getState, dispatch, onUpdated, onSignedOut } = this.#options;
    /** What is said of another conversation is not for this call. */
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
      // Both have said goodbye, or it was ended elsewhere.
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
    // What was being said when the channel was lost has become a message, or it is said again.
    talk.channelBack(countOwn() - ownBefore);
    const { welcomeMessage: welcome } = event;
    if (welcome) loudspeaker.takeWhole(welcome._id, welcome);
    floor.channelBack();
    outbox.resume(event.answering === true);
  }

  /** What was said hands-free comes back as a message; so does what somebody wrote in another tab. */
  #stored({ message }: MessageStored): void {
    const { parts, dispatch } = this.#options;
    const { floor, talk } = parts();
    if (talk.mode !== 'hands-free') {
      dispatch({ type: 'said-elsewhere', message });
      return;
    }
    // Who speaks has heard enough: what was said before is not heard after it.
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
